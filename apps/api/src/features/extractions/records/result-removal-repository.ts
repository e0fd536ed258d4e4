import type { WithdrawnBecause } from '@docwright/contract';
import type { Connection, QueryFilter } from 'mongoose';
import { documentModel } from '../../documents/index.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import { createExtractionVersions } from './extraction-version-repository.ts';
import { dayOf, releaseEventModel } from './release-event-model.ts';
import { archivedRelease, withdrawal } from './release-record.ts';

/** Removes results without losing what was published about them. */
export type ResultRemoval = ReturnType<typeof createResultRemoval>;

const maxAttempts = 20;
/** Results that are removed with one command. */
const batchSize = 100;

export function createResultRemoval(connection: Connection) {
  const model = extractionModel(connection);
  const documents = documentModel(connection);
  const published = releaseEventModel(connection);
  const versions = createExtractionVersions(connection);

  async function withdraw(record: ExtractionRecord, because: WithdrawnBecause): Promise<boolean> {
    const { _id, organization_id, version, changes } = record;
    const change = withdrawal(record, because);
    await versions.archive([archivedRelease(record, change)]);
    const { modifiedCount } = await model.updateOne(
      { _id, organization_id, version, changes, 'release.state': 'released' },
      {
        $set: { release: change.release, release_pending: true },
        $push: { outbox: { $each: change.events } },
      },
    );
    return modifiedCount === 1;
  }

  /** The outbox goes with the result: its events are stored where they wait for their publication. */
  async function keepEvents({ organization_id, document_id, prompt_id, prompt_revid, outbox = [] }: ExtractionRecord) {
    for (const { id, ...event } of outbox) {
      const about = { organization_id, document_id, prompt_id, prompt_revid: prompt_revid.toHexString() };
      const stored = { ...about, ...event, day: dayOf(event.at), is_pending: true as const };
      await published.updateOne({ _id: id }, { $setOnInsert: stored }, { upsert: true });
    }
  }

  const isUnreleased = { 'release.state': { $ne: 'released' as const } };

  async function remove(record: ExtractionRecord, because: WithdrawnBecause): Promise<boolean> {
    const { _id, organization_id, document_id, prompt_id, prompt_revid, version, changes } = record;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const found = await model.findOne({ _id, organization_id }).lean();
      if (found === null) return true;
      if (found.changes !== changes || found.version !== version) return false;
      if (found.release?.state === 'released') {
        await withdraw(found, because);
        continue;
      }
      if (found.release?.state !== 'withdrawn') await versions.archive([found]);
      await versions.noteRemoved([found]);
      await keepEvents(found);
      const { deletedCount } = await model.deleteOne({ _id, organization_id, version, changes, ...isUnreleased });
      if (deletedCount === 0) continue;
      const gone = { releases: { prompt_revid: prompt_revid.toHexString() } };
      await documents.updateOne({ _id: document_id, organization_id }, { $pull: gone });
      // The result of another revision can be the newest now.
      await model.updateMany({ organization_id, document_id, prompt_id }, { $set: { release_pending: true } });
      return true;
    }
    throw new Error('Too many writes of one result at once.');
  }

  /** Removes results that are not released, with a few commands for all. Those that were changed meanwhile stay. */
  async function removeUnreleased(records: readonly ExtractionRecord[]): Promise<void> {
    await versions.archive(records.filter(({ release }) => release?.state !== 'withdrawn'));
    await versions.noteRemoved([...records]);
    for (const record of records) await keepEvents(record);
    const asRead = records.map(({ _id, organization_id, version, changes }) => ({
      _id,
      organization_id,
      version,
      changes,
      ...isUnreleased,
    }));
    await model.deleteMany({ $or: asRead });
    const left = await model.find({ _id: { $in: records.map(({ _id }) => _id) } }, { _id: 1 }).lean();
    const gone = records.filter(({ _id }) => !left.some((record) => record._id.equals(_id)));
    if (gone.length === 0) return;
    await documents.bulkWrite(
      gone.map(({ organization_id, document_id, prompt_revid }) => ({
        updateOne: {
          filter: { _id: document_id, organization_id },
          update: { $pull: { releases: { prompt_revid: prompt_revid.toHexString() } } },
        },
      })),
    );
    // The result of another revision can be the newest now.
    const others = gone.map(({ organization_id, document_id, prompt_id }) => ({
      organization_id,
      document_id,
      prompt_id,
    }));
    await model.updateMany({ $or: others }, { $set: { release_pending: true } });
  }

  return {
    /**
     * Removes a result and keeps its versions. A released one is withdrawn first. False if it was changed since it was read;
     * its release is no change.
     */
    remove,
    /** Removes all results that a filter selects. */
    async removeAll(filter: QueryFilter<ExtractionRecord>, because: WithdrawnBecause): Promise<void> {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const found = await model.find(filter).lean();
        if (found.length === 0) return;
        const [released, unreleased] = [true, false].map((wanted) =>
          found.filter(({ release }) => (release?.state === 'released') === wanted),
        );
        for (const record of released!) await remove(record, because);
        for (let at = 0; at < unreleased!.length; at += batchSize) {
          await removeUnreleased(unreleased!.slice(at, at + batchSize));
        }
      }
      throw new Error('Too many writes of one result at once.');
    },
  };
}
