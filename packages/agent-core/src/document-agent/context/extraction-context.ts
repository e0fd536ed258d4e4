import { setImmediate as nextTurn } from 'node:timers/promises';
import { leavesOf, withExactNumbers, type Extraction } from '@docwright/contract';

/** An extraction in the working state: values and problems, without places. */
type StateExtraction = Pick<
  Extraction,
  | 'document_id'
  | 'prompt_revid'
  | 'prompt_id'
  | 'version'
  | 'result'
  | 'validation_errors'
  | 'is_edited'
  | 'is_verified'
> & { schema_revid?: string | undefined; is_complete?: false; incomplete?: Extraction['issues'] };

/**
 * The part of an extraction that goes into the working state: ids, version, values and problems, without places.
 *
 * @example
 * import type { Extraction } from '@docwright/contract';
 * import { extractionForState } from '@docwright/agent-core';
 *
 * declare const extraction: Extraction;
 * const working_state = { schema_revid: null, prompt_revid: null, extraction: extractionForState(extraction) };
 */
export function extractionForState(extraction: Extraction): StateExtraction {
  const { document_id, prompt_revid, prompt_id, schema_revid, version, validation_errors } = extraction;
  const { is_edited, is_verified } = extraction;
  const result = withExactNumbers(extraction);
  return {
    document_id,
    prompt_revid,
    prompt_id,
    ...(schema_revid !== undefined && { schema_revid }),
    version,
    ...incompleteness(extraction),
    result,
    validation_errors,
    is_edited,
    is_verified,
  };
}

/**
 * An extraction as the result of a tool: the values and their problems. The other fields are omitted if empty:
 * - `not_found`: paths of values that no page contains
 * - `ambiguous`: paths of values with several equally good places
 * - `seen_only`: paths of values that only the image of a page shows
 * - `uncertain`: paths of values that the extracting model marked as uncertain
 * - `to_check`: paths of values that a user should check, as Review lists them
 * - `issues`: values that do not fit the schema
 * - `changed`: differences from the previous result
 * - `release`: `released` or `withdrawn`, unless it is open
 */
export async function extractionForModel(
  extraction: Extraction,
  isCurrent = true,
  before?: unknown,
): Promise<Record<string, unknown>> {
  const { prompt_id, prompt_revid, schema_revid, version, validation_errors } = extraction;
  const { is_edited, is_verified } = extraction;
  const { uncertain = [], review = {} } = extraction;
  // A result can have 100,000 values: others use the process as well.
  const result = withExactNumbers(extraction);
  await nextTurn();
  const { not_found, seen_only, ambiguous } = doubtfulPlaces(extraction.grounding);
  await nextTurn();
  const to_check = Object.keys(review).filter((path) => review[path]?.to_check);
  await nextTurn();
  const changed = [...(before === undefined ? [] : changesBetween(before, result)), ...carriedOver(extraction)];
  return {
    prompt_id,
    prompt_revid,
    ...(schema_revid !== undefined && { schema_revid }),
    version,
    is_current: isCurrent,
    ...(extraction.release.state !== 'open' && { release: extraction.release.state }),
    ...incompleteness(extraction),
    result,
    ...(not_found.length > 0 && { not_found }),
    ...(ambiguous.length > 0 && { ambiguous }),
    ...(seen_only.length > 0 && { seen_only }),
    ...(uncertain.length > 0 && { uncertain }),
    ...(to_check.length > 0 && { to_check }),
    ...(validation_errors.length > 0 && { issues: validation_errors }),
    ...(changed.length > 0 && { changed }),
    ...(is_edited && { is_edited }),
    ...(is_verified && { is_verified }),
  };
}

/** In one pass: a result can have 100,000 places. */
function doubtfulPlaces(grounding: Extraction['grounding']) {
  const found = { not_found: [] as string[], seen_only: [] as string[], ambiguous: [] as string[] };
  for (const path in grounding) {
    const { match, seen_only, places = 1 } = grounding[path]!;
    if (match === 'none' && !seen_only) found.not_found.push(path);
    if (seen_only) found.seen_only.push(path);
    if (places > 1) found.ambiguous.push(path);
  }
  return found;
}

/** The values that a user gave under an earlier revision, in place of what the model read. */
function carriedOver({ carried_over = [], original_result, result }: Extraction) {
  if (carried_over.length === 0) return [];
  const [read, now] = [valuesByPath(original_result), valuesByPath(result)];
  return carried_over.slice(0, maxChanges).map((path) => {
    return {
      path,
      before: read.get(path) ?? null,
      after: now.get(path) ?? null,
      carried_over: 'given by the user before',
    };
  });
}

/** The values of an extraction in the working state; undefined if it is not an extraction. */
export function resultOf(extraction: unknown): unknown {
  return typeof extraction === 'object' && extraction !== null && 'result' in extraction
    ? extraction.result
    : undefined;
}

/** The fields of an incomplete extraction. They come before the values, because a long list of values can be cut. */
function incompleteness({ is_complete, issues }: Extraction): Pick<StateExtraction, 'is_complete' | 'incomplete'> {
  return { ...(!is_complete && { is_complete }), ...(issues.length > 0 && { incomplete: issues }) };
}

/** The keys of `extractionForModel` with content of the document. */
export const extractionContent = ['result', 'value', 'changed', 'issues', 'incomplete'] as const;

const maxChanges = 50;

/** The values that differ between two results, by path. */
export function changesBetween(before: unknown, after: unknown): { path: string; before: unknown; after: unknown }[] {
  const [old, now] = [valuesByPath(before), valuesByPath(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths
    .filter((path) => old.get(path) !== now.get(path))
    .slice(0, maxChanges)
    .map((path) => ({ path, before: old.get(path) ?? null, after: now.get(path) ?? null }));
}

function valuesByPath(result: unknown): Map<string, unknown> {
  return new Map(leavesOf(result).map(({ path, value }) => [path, value]));
}

/**
 * A copy of a JSON value with at most `items` entries in each list and `characters` UTF-16 units in each text. A note
 * replaces each cut.
 *
 * @example
 * import { shortenLongLists } from '@docwright/agent-core';
 *
 * shortenLongLists({ rows: [1, 2, 3] }, 2); // { rows: [1, 2, '[cut: 1 more entries]'] }
 */
export function shortenLongLists(value: unknown, items: number, characters = Infinity): unknown {
  if (Array.isArray(value)) {
    const entries = value.slice(0, items).map((entry) => shortenLongLists(entry, items, characters));
    return value.length > items ? [...entries, `[cut: ${value.length - items} more entries]`] : entries;
  }
  if (typeof value === 'string' && value.length > characters) {
    return `${value.slice(0, characters)}[cut: ${value.length - characters} more characters]`;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, shortenLongLists(entry, items, characters)]),
  );
}
