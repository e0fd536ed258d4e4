import type { Grounding } from '@docwright/contract';
import { inTurns, recordInSteps } from '../../platform/long-values/in-turns.ts';
import { parseLongJson } from '../../platform/long-values/long-json.ts';
import { jsonOfStored } from '../extractions/index.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/**
 * The newest result of a prompt on a document. A read model: it is derived from the extractions, and can be rebuilt from
 * them by marking these.
 */
export type ResultIndexRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    document_id: field.objectId,
    prompt_revid: field.objectId,
    document_name: field.text.unchecked(),
    version: field.number.unchecked(),
    release: field.oneOf<'open' | 'released' | 'withdrawn'>().unchecked(),
    is_verified: field.flag.unchecked(),
    is_complete: field.flag.unchecked(),
    /** The result as text of `storedJson`; empty in the entry of a removed one. */
    result: field.text.unchecked(),
    /** By path, the digits of numbers that JSON would round, as JSON. */
    exact: field.text.unchecked(),
    /** Set when no result is left, until copies in memory have removed it. */
    is_removed: field.flag.optional(),
    /** When the result was written. */
    changed_at: field.date.unchecked(),
    /** Counts the writes of this entry: a write applies only to the entry that was read before the results were. */
    writes: field.number,
    /** By the database's clock. */
    indexed_at: field.date.optional(),
  },
  { collection: 'result_index' },
);
schema.index({ organization_id: 1, prompt_id: 1, document_id: 1 }, { unique: true });
schema.index({ organization_id: 1, prompt_id: 1, indexed_at: 1 });
schema.index({ document_id: 1 });
schema.index({ is_removed: 1, indexed_at: 1 }, { sparse: true });

export const resultIndexModel = modelOf('ResultIndex', schema);

/** A counter for each prompt, which each write of its entries increments: copies in memory see that they are outdated. */
const stampSchema = recordSchema(
  {
    /** The organization's id and the prompt's. */
    _id: field.text,
    stamp: field.number,
    /** When the results were last read, to the hour: a process reads them into memory when it starts. */
    used_at: field.date.optional(),
  },
  { collection: 'result_index_stamps' },
);
stampSchema.index({ used_at: 1 }, { sparse: true });

export const resultStampModel = modelOf('ResultIndexStamp', stampSchema);

/** The field `exact` of a result, from its places. */
export async function exactOf(stored: string): Promise<Record<string, string>> {
  const json = await jsonOfStored(stored);
  // Most results have none, which the text shows without a walk through all places.
  if (!json.includes('"raw"')) return {};
  const places: Record<string, Grounding> = await parseLongJson(json);
  return await inTurns(
    recordInSteps(
      () => Object.keys(places),
      (path) => places[path]!.raw,
    ),
  );
}
