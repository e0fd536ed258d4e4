import { createHash } from 'node:crypto';
import { withExactNumbers } from '@docwright/contract';
import { isComplete } from '@docwright/documents/long';
import mongoose, { type Connection } from 'mongoose';
import { exceptIds, objectIdsOf } from '../../platform/database/object-id.ts';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { organizationsWith } from '../../platform/leases/organizations-with.ts';
import { documentModel } from '../documents/index.ts';
import type { EventLog, NewEvent } from '../event-log/index.ts';
import {
  extractionModel,
  extractionVersionModel,
  parseStored,
  withoutTexts,
  type ExtractionRecord,
} from '../extractions/index.ts';

/** The parts of the results that the event log needs. */
export type Announcements = ReturnType<typeof createAnnouncements>;

/** Results of an organization that are announced before the next one has its turn. */
const resultsOfTurn = 20;

/** The same id for a version from every process. */
function eventId({ _id }: Pick<ExtractionRecord, '_id'>, version: number): string {
  return `evt_${createHash('sha256').update(`extraction ${_id.toHexString()} ${version}`).digest('hex').slice(0, 32)}`;
}

export function createAnnouncements(
  connection: Connection,
  eventLog: Pick<EventLog, 'append'>,
  log: { error(fields: object, message: string): void },
) {
  const aside = createSetAside({ log, failure: 'the event of a result could not be appended' });
  const extractions = extractionModel(connection);
  const versions = extractionVersionModel(connection);
  const documents = documentModel(connection);

  async function namesOf(organizationId: string, documentIds: readonly string[]): Promise<Map<string, string>> {
    const own = {
      organization_id: new mongoose.Types.ObjectId(organizationId),
      _id: { $in: objectIdsOf(documentIds) },
    };
    const records = await documents.find(own, { document_name: 1 }).lean();
    return new Map(records.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
  }

  async function announce(record: Omit<ExtractionRecord, keyof typeof withoutTexts>): Promise<void> {
    const { _id, organization_id, document_id, prompt_revid, version, announced_version = 0 } = record;
    const key = { organization_id, document_id, prompt_revid, version: { $gt: announced_version, $lt: version } };
    const former = await versions.find(key, { action: 1, issues: 1, version: 1, changed_at: 1, is_edited: 1 }).lean();
    const [organizationId, documentId] = [organization_id.toHexString(), document_id.toHexString()];
    const names = await namesOf(organizationId, [documentId]);
    const events = [...former.toSorted((one, other) => one.version - other.version), record]
      .filter(({ action, is_edited }) => (action ?? (is_edited ? 'edited' : 'extracted')) === 'extracted')
      .map((of): NewEvent => {
        const complete = isComplete(of.issues ?? []);
        return {
          id: eventId(record, of.version),
          type: complete ? 'extraction.completed' : 'extraction.incomplete',
          at: of.changed_at,
          data: {
            document_id: documentId,
            document_name: names.get(documentId) ?? '',
            prompt_id: record.prompt_id,
            prompt_revid: prompt_revid.toHexString(),
            version: of.version,
            is_complete: complete,
          },
        };
      });
    await eventLog.append(organizationId, events);
    // A newer write has set another mark, and is announced next.
    await extractions.updateOne(
      { _id, announce_pending: record.announce_pending ?? '' },
      { $set: { announced_version: version }, $unset: { announce_pending: 1 } },
    );
  }

  return {
    namesOf,
    /**
     * Appends an event for each new version that an extraction has written. Repeats it after a crash under the same id.
     * Organizations take turns, and the longest unchanged result of each is first.
     */
    async work(signal: AbortSignal): Promise<void> {
      const pending = () => ({ announce_pending: { $exists: true }, ...exceptIds(aside.ids()) });
      for (let isMore = true; isMore;) {
        isMore = false;
        for await (const organization_id of organizationsWith(extractions.collection, pending())) {
          const records = await extractions
            .find({ ...pending(), organization_id }, withoutTexts)
            .sort({ changed_at: 1 })
            .limit(resultsOfTurn)
            .lean();
          for (const record of records) {
            if (signal.aborted) return;
            await aside.work(record._id.toHexString(), () => announce(record));
          }
          isMore ||= records.length === resultsOfTurn;
        }
      }
    },
    /** The ids of those documents that have all tags now. */
    async withTags(
      organizationId: string,
      documentIds: readonly string[],
      tagIds: readonly string[],
    ): Promise<Set<string>> {
      const own = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        _id: { $in: objectIdsOf(documentIds) },
        tag_ids: { $all: objectIdsOf(tagIds) },
      };
      return new Set((await documents.distinct('_id', own)).map(String));
    },
    /**
     * The values of an event as they are now, with every digit of their numbers, and their version. Undefined in the trash and after a withdrawal. Of a
     * release, they are those that were released.
     */
    async resultOf(
      organizationId: string,
      { document_id, prompt_revid, version }: { document_id: string; prompt_revid: string; version: number },
      isRelease: boolean,
    ): Promise<{ result: unknown; version: number } | undefined> {
      const [document, revision] = objectIdsOf([document_id, prompt_revid]);
      if (!document || !revision) return undefined;
      const key = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: document,
        prompt_revid: revision,
        ...(isRelease && { version, 'release.state': 'released' as const }),
      };
      const { organization_id } = key;
      if (!(await documents.exists({ _id: document, organization_id, deleted_at: null }))) return undefined;
      const fields = { result: 1, grounding: 1, version: 1, release: 1 } as const;
      const newest = await extractions.findOne(key, fields).lean();
      const record = newest ?? (isRelease ? await versions.findOne(key, fields).lean() : null);
      if (record === null) return undefined;
      const { state, withdrawn } = record.release ?? {};
      if (state === 'withdrawn' && withdrawn?.version === record.version) return undefined;
      const [result, grounding] = await Promise.all([parseStored(record.result), parseStored(record.grounding)]);
      return { result: withExactNumbers({ result, grounding }), version: record.version };
    },
  };
}
