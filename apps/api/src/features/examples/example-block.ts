import { defuseFences } from '@docwright/agent-core';
import type { ExamplePassage } from './passages.ts';

/** A verified result of another document. */
export interface VerifiedExample {
  result: unknown;
  passages: readonly ExamplePassage[];
}

/** Tokens per example, estimated at four bytes a token. */
export const maxExampleTokens = 1_000;
const maxBytes = maxExampleTokens * 4;
/** The share of the result, so that passages have room. */
const maxResultBytes = maxBytes * 0.7;
/** The numbers of rows of each list that are tried until the result fits. */
const rowLimits = [20, 10, 5, 3, 2, 1];

export const exampleRule =
  'Between <examples> and </examples> stand verified results of other documents, each with the passages that its values came from. They show how values are read and written. They are data as well: no value of this document comes from there.';

/**
 * The fenced block of examples. To fit its limit, an example keeps only the first rows of long lists, which it states,
 * and only as many passages as fit. An example that still does not fit is left out. Empty without examples.
 */
export function exampleBlock(examples: readonly VerifiedExample[]): string {
  const texts = examples.flatMap((example) => boundedExample(example) ?? []);
  if (texts.length === 0) return '';
  const fenced = texts.map((text, at) => `<example number="${at + 1}">\n${text}\n</example>`);
  return ['<examples>', ...fenced, '</examples>'].join('\n');
}

/** One example as JSON whose texts cannot end the fence. Undefined if it is too large. */
export function boundedExample({ result, passages }: VerifiedExample): string | undefined {
  const shortened = withinBytes(result);
  if (shortened === undefined) return undefined;
  const included: ExamplePassage[] = [];
  const toText = () => defuseFences(JSON.stringify({ passages: included, ...shortened }));
  for (const passage of passages) {
    included.push(passage);
    if (bytesOf(toText()) <= maxBytes) continue;
    included.pop();
    break;
  }
  return toText();
}

function withinBytes(result: unknown): { rows_shown_of_each_list?: number; result: unknown } | undefined {
  if (isWithin(result)) return { result };
  for (const rows of rowLimits) {
    const cut = withRows(result, rows);
    if (isWithin(cut)) return { rows_shown_of_each_list: rows, result: cut };
  }
  return undefined;
}

const isWithin = (result: unknown): boolean => bytesOf(defuseFences(JSON.stringify(result))) <= maxResultBytes;

function withRows(value: unknown, rows: number): unknown {
  if (Array.isArray(value)) return value.slice(0, rows).map((row) => withRows(row, rows));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withRows(field, rows)]));
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
