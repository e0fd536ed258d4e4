import { leafPathSteps } from '@docwright/review';
import { inTurns } from '../../../platform/long-values/in-turns.ts';
import { recordBytes, storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { indexedTermsOfResult } from '../../../platform/database/content-search.ts';
import { parseLongJson } from '../../../platform/long-values/long-json.ts';
import { jsonOfStored, parseStored } from './compressed-json.ts';
import { withExactNumbers, type Extraction, type ReleaseReason } from '@docwright/contract';
import type { Connection, QueryFilter } from 'mongoose';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import type { TurnWriteRepository } from '../../../turn-writes/turn-write-repository.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import {
  extractionModel,
  type ExtractionRecord,
  type ExtractionVersionRecord,
  type ReleaseEvent,
} from './extraction-model.ts';
import { writeMarks } from './index-mark-model.ts';
import type { ReviewFacts } from '../../value-risk/index.ts';
import { beforeMark, beforeVersion, type ExtractionBefore } from './extraction-before.ts';
import { createExtractionVersions, presentExtraction, type ExtractionKey } from './extraction-version-repository.ts';
import { createOutsideBlocks } from './outside-block-repository.ts';
import { archivedRelease, blocksOf, releaseAfterMark, releaseAsRead, releaseOfNextVersion } from './release-record.ts';

/** The result of a run, before it has a version. */
export type FinishedRun = Pick<
  Extraction,
  | 'document_id'
  | 'prompt_revid'
  | 'prompt_id'
  | 'schema_revid'
  | 'result'
  | 'grounding'
  | 'validation_errors'
  | 'issues'
  | 'model'
  | 'repaired'
  | 'usage'
>;

export type EditedResult = Pick<Extraction, 'result' | 'grounding' | 'validation_errors'>;

/** The content of a new version, without its number. */
type NewVersion = Omit<ExtractionVersionRecord, keyof ExtractionKey | 'version' | 'release'>;

const maxAppliedCalls = 200;
const maxAttempts = 50;

/** The users' decisions on a version. */
type Mark = Pick<ExtractionRecord, 'is_verified' | 'review_facts' | 'verified_by'>;

/** Writes results without losing any: a version is archived before another one replaces it. */
export interface ResultWriter {
  /** The result of a call that has already written. */
  applied(origin: WriteOrigin | undefined): Promise<Extraction | undefined>;
  /**
   * Archives the current version and replaces it. `contentOf` gets the current result and can refuse with undefined or an
   * error; it is called again after a concurrent write. Undefined if it returns undefined.
   */
  replace(
    key: ExtractionKey,
    tool: string,
    contentOf: (present: ExtractionRecord | undefined) => NewVersion | undefined | Promise<NewVersion | undefined>,
    origin: WriteOrigin | undefined,
  ): Promise<Extraction | undefined>;
  /**
   * Changes the users' decisions on the current version without a new version; writes nothing if they stand already.
   * Undefined if there is no result, or if `changeOf` returns undefined.
   */
  mark(
    key: ExtractionKey,
    tool: string,
    changeOf: (present: ExtractionRecord) => Mark | undefined | Promise<Mark | undefined>,
    origin: WriteOrigin | undefined,
  ): Promise<Extraction | undefined>;
}

export function createResultWriter(
  connection: Connection,
  writes: TurnWriteRepository,
  organization_id: ExtractionRecord['organization_id'],
): ResultWriter {
  const model = extractionModel(connection);
  const versions = createExtractionVersions(connection);
  const outsideBlocks = createOutsideBlocks(connection);
  const storedBytes = storedBytesOf(connection);
  const unlessApplied = (origin: WriteOrigin | undefined): QueryFilter<ExtractionRecord> =>
    origin ? { applied_calls: { $ne: origin.call_id } } : {};
  const count = ({ document_id }: ExtractionKey, content: NewVersion) =>
    storedBytes.add(organization_id.toHexString(), document_id.toHexString(), recordBytes(content));
  /** Notes the call, and the changes of the release that are to be published. */
  const noting = (origin: WriteOrigin | undefined, events: readonly ReleaseEvent[] = []) => ({
    $push: {
      ...(origin && { applied_calls: { $each: [origin.call_id], $slice: -maxAppliedCalls } }),
      ...(events.length > 0 && { outbox: { $each: events } }),
    },
  });

  /** The reasons that block the release of a result that users verify. */
  async function blocksOfRelease(
    former: ExtractionRecord,
    { review_facts = '', ...change }: Partial<ExtractionRecord>,
  ): Promise<ReleaseReason[]> {
    const { failed_checks }: Pick<ReviewFacts, 'failed_checks'> =
      review_facts === '' ? { failed_checks: [] } : await parseStored(review_facts);
    return [...(await outsideBlocks(former)), ...blocksOf({ ...former, ...change }, { failed_checks })];
  }

  async function noteWrite(
    former: ExtractionRecord | undefined,
    { document_id }: ExtractionKey,
    { tool, before }: { tool: string; before: ExtractionBefore | null },
    origin: WriteOrigin | undefined,
  ) {
    await writes.note(origin, {
      tool,
      kind: 'extraction',
      ...(former && { recordId: former._id.toHexString() }),
      documentId: document_id.toHexString(),
      before,
      base: former?.changes ?? 0,
    });
  }

  async function applied(origin: WriteOrigin | undefined): Promise<Extraction | undefined> {
    if (!origin) return undefined;
    const found = await model.findOne({ organization_id, applied_calls: origin.call_id }).lean();
    return found === null ? undefined : await presentExtraction(found);
  }

  async function replace(
    key: ExtractionKey,
    tool: string,
    contentOf: Parameters<ResultWriter['replace']>[2],
    origin: WriteOrigin | undefined,
  ): Promise<Extraction | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const former = (await model.findOne(key).lean()) ?? undefined;
      const content = await contentOf(former);
      if (!content) return undefined;
      const blocks = former && content.is_verified ? await blocksOfRelease(former, content) : [];
      const change = releaseOfNextVersion(former, tool, content, { origin, blocks });
      const search = await searchOfValues(key, content);
      if (former) await versions.archive([archivedRelease(former, change)]);
      await noteWrite(former, key, { tool, before: former ? beforeVersion(former) : null }, origin);
      if (former) {
        const { version, changes } = former;
        const { restored_from, ...set } = content;
        const replaced = await model
          .findOneAndUpdate(
            { ...key, version, changes, ...releaseAsRead(former), ...unlessApplied(origin) },
            {
              $set: {
                ...set,
                ...writeMarks(),
                release: change.release,
                ...search,
                ...(restored_from !== undefined && { restored_from }),
              },
              ...(restored_from === undefined && { $unset: { restored_from: 1 } }),
              $inc: { version: 1, changes: 1 },
              ...noting(origin, change.events),
            },
            { returnDocument: 'after' },
          )
          .lean();
        if (replaced) {
          count(key, content);
          return await presentExtraction(replaced);
        }
      } else {
        try {
          // If the result was removed before, its version numbers continue.
          const version = (await versions.newest(key)) + 1;
          const applied_calls = origin ? [origin.call_id] : [];
          const created = await model.create({
            ...key,
            ...content,
            ...writeMarks(),
            ...search,
            version,
            changes: 1,
            applied_calls,
          });
          count(key, content);
          return await presentExtraction(created.toObject());
        } catch (error) {
          ignoreDuplicateKey(error);
        }
      }
      const repeated = await applied(origin);
      if (repeated) return repeated;
    }
    throw new Error('Too many writes of one result at once.');
  }

  async function mark(
    key: ExtractionKey,
    tool: string,
    changeOf: Parameters<ResultWriter['mark']>[2],
    origin: WriteOrigin | undefined,
  ): Promise<Extraction | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const former = await model.findOne(key).lean();
      if (former === null) return undefined;
      if (origin && former.applied_calls.includes(origin.call_id)) return await presentExtraction(former);
      const change = await changeOf(former);
      if (!change) return undefined;
      if (isMarked(former, change)) return await presentExtraction(former);
      if (origin?.turn_id !== undefined)
        await noteWrite(former, key, { tool, before: await beforeMark(former) }, origin);
      const { version, changes } = former;
      const blocks = change.is_verified ? await blocksOfRelease(former, change) : [];
      const released = releaseAfterMark(former, change, { origin, blocks });
      const updated = await model
        .findOneAndUpdate(
          { ...key, version, changes, ...releaseAsRead(former) },
          {
            $set: { ...change, ...writeMarks(), ...(released && { release: released.release }) },
            $inc: { changes: 1 },
            ...noting(origin, released?.events),
          },
          { returnDocument: 'after' },
        )
        .lean();
      if (updated) return await presentExtraction(updated);
    }
    throw new Error('Too many writes of one result at once.');
  }

  return { applied, replace, mark };
}

const isMarked = (former: Mark, change: Mark): boolean =>
  former.is_verified === change.is_verified && former.review_facts === change.review_facts;

/** The field by which a result is found by its values. */
export async function searchOfValues(
  { organization_id }: Pick<ExtractionRecord, 'organization_id'>,
  { result, grounding = '{}' }: Pick<ExtractionRecord, 'result'> & Partial<Pick<ExtractionRecord, 'grounding'>>,
): Promise<{ search: string }> {
  const places = await jsonOfStored(grounding);
  const values: unknown = await parseStored(result);
  // A number that had to be rounded is found by its digits.
  const exact = places.includes('"raw"')
    ? withExactNumbers({ result: values, grounding: await parseLongJson(places) })
    : values;
  const leaves = await inTurns(leafPathSteps(exact));
  let text = '';
  for (const { value } of leaves) {
    text += `${value ?? ''}\n`;
    if (text.length > maxSearched) break;
  }
  return { search: await indexedTermsOfResult(String(organization_id), text.slice(0, maxSearched)) };
}

/** Characters of values that are indexed: a table of some thousand rows. */
const maxSearched = 200_000;
