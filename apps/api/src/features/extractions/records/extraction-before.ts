import type { ReviewFacts } from '../../value-risk/index.ts';
import { parseStored, storedJson } from './compressed-json.ts';
import type { ExtractionRecord, ExtractionVersionRecord } from './extraction-model.ts';

/**
 * The noted state of a result before a write, for its undo. Its values are not noted again: they are those of this
 * version, which is archived before another one replaces it.
 */
export interface ExtractionBefore {
  version: number;
  is_verified: boolean;
  /** Who had verified it; absent if that is unknown. */
  verified_by?: string;
  /**
   * Noted by a write that changes nothing but users' decisions: those before it, as text of `storedJson`. Empty if the
   * result had no facts.
   */
  marks?: string;
}

/** What former releases have noted: all values once more. */
export type WholeBefore = Omit<VersionContent, 'created_at' | 'review_facts' | 'repaired'> & {
  created_at: string;
  review_facts?: string;
  repaired?: boolean;
  verified_by?: string;
};

export type VersionContent = ReturnType<typeof contentOfVersion>;

/** What another version can get from this one. */
export function contentOfVersion(record: ExtractionVersionRecord) {
  const { prompt_id, schema_revid, result, original_result, grounding, validation_errors, issues = [] } = record;
  const { review_facts = '', is_edited, is_verified, model, repaired = false, usage, created_at } = record;
  const values = { prompt_id, schema_revid, result, original_result, grounding, validation_errors, issues };
  return { ...values, review_facts, is_edited, is_verified, model, repaired, usage, created_at };
}

type Marks = Pick<ReviewFacts, 'decisions' | 'unseen'>;

/** Before a new version. */
export const beforeVersion = ({ version, is_verified, verified_by }: ExtractionRecord): ExtractionBefore => ({
  version,
  is_verified,
  ...(is_verified && typeof verified_by === 'string' && { verified_by }),
});

/** Before a change of users' decisions on the current version. */
export async function beforeMark(record: ExtractionRecord): Promise<ExtractionBefore> {
  const { review_facts = '' } = record;
  if (review_facts === '') return { ...beforeVersion(record), marks: '' };
  const { decisions, unseen }: ReviewFacts = await parseStored(review_facts);
  return { ...beforeVersion(record), marks: await storedJson({ decisions, ...(unseen && { unseen }) }) };
}

/** The stored facts of a version with the decisions that were noted. */
export async function factsWithMarks(review_facts: string | undefined, marks: string): Promise<string> {
  if (marks === '' || !review_facts) return '';
  const { unseen: _unseen, ...facts }: ReviewFacts = await parseStored(review_facts);
  const noted: Marks = await parseStored(marks);
  return await storedJson({ ...facts, ...noted });
}
