import type { Extraction, ExtractionVersion } from '@docwright/contract';
import { isComplete } from '@docwright/documents/long';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { factsWithout, type ReviewFacts } from '../../value-risk/index.ts';
import {
  extractionModel,
  extractionVersionModel,
  type ExtractionRecord,
  type ExtractionVersionRecord,
} from './extraction-model.ts';
import { noteRemoved } from './index-mark-model.ts';
import { parseLongJson } from '../../../platform/long-values/long-json.ts';
import { jsonOfStored, parseStored } from './compressed-json.ts';
import { presentRelease } from './release-record.ts';
import { presentEachLater } from '../../../platform/records/unreadable-records.ts';
import { pageOfItems, type PageEnd, type PageSelection } from '../../../platform/database/page.ts';

/** Identifies the result of a prompt's revision on a document. */
export type ExtractionKey = Pick<ExtractionRecord, 'organization_id' | 'document_id' | 'prompt_revid'>;

/** Archived versions of results. The current versions are in `extractions`. */
export type ExtractionVersionRepository = ReturnType<typeof createExtractionVersions>;

export function createExtractionVersions(connection: Connection) {
  const model = extractionVersionModel(connection);
  async function archive(records: readonly ExtractionRecord[]): Promise<void> {
    if (records.length === 0) return;
    await model.bulkWrite(
      records.map((record) => {
        const { _id, applied_calls: _calls, changes: _changes, search: _search, ...stored } = record;
        const { index_pending: _index, announce_pending: _mark, announced_version: _announced, ...rest } = stored;
        const { review_pending: _review, release_pending: _release, outbox: _outbox, ...unmarked } = rest;
        const { release_retry_at: _retry, ...replacement } = unmarked;
        const { document_id, prompt_revid, version } = replacement;
        return { replaceOne: { filter: { document_id, prompt_revid, version }, replacement, upsert: true } };
      }),
    );
  }
  return {
    /**
     * Archives versions before they are replaced. The caller replaces a record only if its `version` and `changes` have not
     * changed since it was read, so that no change is lost between the two.
     */
    archive,
    /** Notes a removal for the index of results. */
    noteRemoved: (records: readonly ExtractionRecord[]): Promise<void> => noteRemoved(connection, records),
    async get(key: ExtractionKey, version: number): Promise<ExtractionVersionRecord | undefined> {
      return (await model.findOne({ ...key, version }).lean()) ?? undefined;
    },
    /** The highest archived version; 0 without one. */
    async newest(key: ExtractionKey): Promise<number> {
      const found = await model.findOne(key, { version: 1 }).sort({ version: -1 }).lean();
      return found?.version ?? 0;
    },
    /** Removes those of one document. */
    async removeAll(of: Pick<ExtractionKey, 'organization_id' | 'document_id'>): Promise<void> {
      await model.deleteMany(of);
    },
  };
}

/** Reads the current and archived versions of one organization's results. A malformed id finds nothing. */
export type VersionReader = ReturnType<ReturnType<typeof createVersionReaders>>;

export function createVersionReaders(connection: Connection) {
  const present = extractionModel(connection);
  const former = extractionVersionModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const keyOf = (documentId: string, promptRevid: string): ExtractionKey | undefined => {
      const [document_id, prompt_revid] = [objectIdOf(documentId), objectIdOf(promptRevid)];
      return document_id && prompt_revid && { organization_id, document_id, prompt_revid };
    };
    return {
      /** Newest first. */
      async list(
        documentId: string,
        promptRevid: string,
        page: PageSelection,
      ): Promise<{ versions: ExtractionVersion[] } & PageEnd> {
        const key = keyOf(documentId, promptRevid);
        if (!key) return { versions: [], total_count: 0 };
        const current = await present.findOne(key).lean();
        // After an undo was reverted, the current version can be in the archive as well.
        const others = current === null ? key : { ...key, version: { $ne: current.version } };
        const earlier = await former.find(others, { version: 1 }).lean();
        const numbers = [...earlier, ...(current === null ? [] : [current])].map(({ version }) => version);
        const { items, end } = pageOfItems(
          numbers.toSorted((one, other) => other - one),
          page,
          String,
        );
        const versions: ExtractionVersion[] = [];
        // One after the other: each can take 150 MB.
        for (const version of items) {
          const isCurrent = version === current?.version;
          const row = isCurrent ? current : await former.findOne({ ...key, version }).lean();
          if (row !== null)
            versions.push(...(await presentEachLater([row], (each) => presentVersion(each, isCurrent))));
        }
        return { versions, ...end };
      },
      async get(documentId: string, promptRevid: string, version: number): Promise<ExtractionVersion | undefined> {
        const key = keyOf(documentId, promptRevid);
        if (!key) return undefined;
        const current = await present.findOne({ ...key, version }).lean();
        if (current !== null) return await presentVersion(current, true);
        const found = await former.findOne({ ...key, version }).lean();
        return found === null ? undefined : await presentVersion(found, false);
      },
    };
  };
}

/** Maps a stored version to the extraction of the API. A caller that has read its facts passes them: they can be large. */
export async function presentExtraction(
  record: ExtractionVersionRecord,
  known?: Pick<ReviewFacts, 'failed_checks'>,
): Promise<Extraction> {
  const facts = known ?? (await factsOf(record));
  const places = await jsonOfStored(record.grounding);
  const grounding: Extraction['grounding'] = await parseLongJson(places);
  // Most results have no mark, which their text shows without a walk through its places.
  const uncertain = places.includes('"uncertain"')
    ? Object.keys(grounding).filter((path) => grounding[path]!.uncertain)
    : [];
  const { result, original_result } = record;
  const json = await jsonOfStored(result);
  return {
    document_id: record.document_id.toHexString(),
    prompt_revid: record.prompt_revid.toHexString(),
    prompt_id: record.prompt_id,
    ...(record.schema_revid === null ? {} : { schema_revid: record.schema_revid }),
    version: record.version,
    result: await parseLongJson(json),
    original_result: await (result === original_result ? parseLongJson(json) : parseStored(original_result)),
    is_edited: record.is_edited,
    is_verified: record.is_verified,
    grounding,
    ...(uncertain.length > 0 && { uncertain }),
    validation_errors: record.validation_errors,
    issues: record.issues ?? [],
    is_complete: isComplete(record.issues ?? []),
    failed_checks: facts.failed_checks,
    release: presentRelease(record),
    model: record.model,
    ...(record.repaired === true && { repaired: true as const }),
    usage: record.usage,
    created_at: record.created_at.toISOString(),
  };
}

/** The stored facts for the review of the result. */
export async function factsOf(record: ExtractionVersionRecord): Promise<ReviewFacts> {
  const { review_facts = '' } = record;
  if (review_facts !== '') return (await parseStored(review_facts)) as ReviewFacts;
  return await factsWithout({
    result: await parseStored(record.result),
    grounding: await parseStored(record.grounding),
    validation_errors: record.validation_errors,
  });
}

async function presentVersion(record: ExtractionVersionRecord, is_current: boolean): Promise<ExtractionVersion> {
  const { author, restored_from, changed_at, is_edited, action = is_edited ? 'edited' : 'extracted' } = record;
  return {
    ...(await presentExtraction(record)),
    action,
    written_at: changed_at.toISOString(),
    ...(author && { author }),
    ...(restored_from !== undefined && { restored_from }),
    is_current,
  };
}
