import type { WithdrawnBecause } from '@docwright/contract';
import type { Connection, QueryFilter } from 'mongoose';
import { documentModel } from '../../documents/index.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';
import { createExtractionVersions } from './extraction-version-repository.ts';
import { dayOf, releaseEventModel } from './release-event-model.ts';
import { archivedRelease, withdrawal } from './release-record.ts';

/** Removes results without losing what was published about them. */
export interface ResultRemoval {
  /**
   * Removes a result and keeps its versions. A released one is withdrawn first. False if it was changed since it was read;
   * its release is no change.
   */
  remove(record: ExtractionRecord, because: WithdrawnBecause): Promise<boolean>;
  /** Removes all results that a filter selects. */
  removeAll(filter: QueryFilter<ExtractionRecord>, because: WithdrawnBecause): Promise<void>;
}

const maxAttempts = 20;

export function createResultRemoval(connection: Connection): ResultRemoval {
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
      const isUnreleased = { 'release.state': { $ne: 'released' as const } };
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

  return {
    remove,
    async removeAll(filter, because) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const found = await model.find(filter).lean();
        const isRemoved = await Promise.all(found.map((record) => remove(record, because)));
        if (isRemoved.every(Boolean)) return;
      }
      throw new Error('Too many writes of one result at once.');
    },
  };
}
