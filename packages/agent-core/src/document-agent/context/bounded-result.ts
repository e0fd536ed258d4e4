import { maxResultCharacters } from '../../tool/bounded-content.ts';
import { shortenLongLists } from './extraction-context.ts';

const steps = [
  { rows: 20, texts: 500, remarks: 50 },
  { rows: 10, texts: 300, remarks: 25 },
  { rows: 5, texts: 200, remarks: 10 },
  { rows: 2, texts: 100, remarks: 5 },
  { rows: 1, texts: 60, remarks: 2 },
];

/**
 * An extraction for a model in at most 8,000 characters: of a long list its first and last rows and their number, of a
 * long text its beginning. Each cut is said, with the call that reads the rest.
 */
export function boundedResult(extraction: Record<string, unknown>): Record<string, unknown> {
  if (sizeOf(extraction) <= maxResultCharacters) return extraction;
  for (const step of steps) {
    const { result, ...remarks } = extraction;
    const bounded = {
      ...(shortenLongLists(remarks, step.remarks, step.texts) as Record<string, unknown>),
      result: withoutMiddle(result, '', step),
      cut: cutNote,
    };
    if (sizeOf(bounded) <= maxResultCharacters) return bounded;
  }
  const { result, prompt_id, prompt_revid, schema_revid, version, is_current } = extraction;
  const outline = outlineOf(result);
  return { prompt_id, prompt_revid, schema_revid, version, is_current, result: outline, cut: cutNote };
}

const cutNote =
  'The result is longer than a conversation can hold. get_extraction_result { path, from, to } reads the entries of a list, or one value whole.';

/**
 * The entries `from` to `to` (0 is the first) of the list at a path, or another value whole; as many as 8,000 characters
 * hold, and `next_from` if there are more.
 */
export function partOfResult(value: unknown, path: string, from = 0, to = Infinity): Record<string, unknown> {
  if (!Array.isArray(value)) {
    const whole = { path, value };
    return sizeOf(whole) <= maxResultCharacters
      ? whole
      : { path, value: withoutMiddle(value, path, steps[2]!), cut: cutNote };
  }
  const entries: unknown[] = [];
  const end = Math.min(value.length, to + 1);
  let size = 0;
  for (let at = from; at < end; at += 1) {
    const entry = sizeOf(value[at]) > maxEntry ? shortenLongLists(value[at], 5, 200) : value[at];
    size += sizeOf(entry) + 1;
    if (size > maxResultCharacters - roomForNames && entries.length > 0) break;
    entries.push(entry);
  }
  const next = from + entries.length;
  return { path, count: value.length, from, value: entries, ...(next < end && { next_from: next }) };
}

const maxEntry = 6000;
const roomForNames = 500;

function withoutMiddle(value: unknown, path: string, step: { rows: number; texts: number }): unknown {
  const below = (key: string | number, item: unknown) =>
    withoutMiddle(item, path === '' ? `${key}` : `${path}.${key}`, step);
  if (typeof value === 'string') return shortenLongLists(value, 0, step.texts);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
  const ends = step.rows * 2;
  if (value.length <= ends + 1) return value.map((item, at) => below(at, item));
  const last = value.length - step.rows;
  return [
    ...value.slice(0, step.rows).map((item, at) => below(at, item)),
    `[cut: ${last - step.rows} of ${value.length} entries, read with path "${path}", from ${step.rows}, to ${last - 1}]`,
    ...value.slice(last).map((item, at) => below(last + at, item)),
  ];
}

/** The keys of a result with the length of each list, for a result whose shortest form is still too long. */
function outlineOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return String(result).slice(0, 1000);
  const entries = Object.entries(result).slice(0, 100);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key.slice(0, 60),
      Array.isArray(value) ? `[${value.length} entries]` : typeof value === 'object' ? '{…}' : `${value}`.slice(0, 10),
    ]),
  );
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
