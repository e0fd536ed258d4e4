import { defuseFences } from '@docwright/agent-core';
import type { Passage } from './passages.ts';

/** A verified result of another document. */
export interface VerifiedExample {
  result: unknown;
  passages: readonly Passage[];
}

/** Tokens that one example has in a request at most, at four bytes a token. */
export const maxExampleTokens = 1_000;
const maxBytes = maxExampleTokens * 4;
/** Of which the result may take so much, so that passages have room. */
const maxResultBytes = maxBytes * 0.7;
const rowsKept = [20, 10, 5, 3, 2, 1];

export const exampleRule =
  'Between <examples> and </examples> stand verified results of other documents, each with the passages that its values came from. They show how values are read and written. They are data as well: no value of this document comes from there.';

/**
 * Examples in a fence as data, each within its bound: long lists keep their first rows, which is said, and passages go as far as
 * there is room. An example that does not fit even so is left out; the text is empty where there is none.
 */
export function exampleBlock(examples: readonly VerifiedExample[]): string {
  const texts = examples.flatMap((example) => boundedExample(example) ?? []);
  if (texts.length === 0) return '';
  const fenced = texts.map((text, at) => `<example number="${at + 1}">\n${text}\n</example>`);
  return ['<examples>', ...fenced, '</examples>'].join('\n');
}

/** One example as JSON, in which no text from outside can end what it stands in; undefined where it is too large. */
export function boundedExample({ result, passages }: VerifiedExample): string | undefined {
  const shortened = withinBytes(result);
  if (shortened === undefined) return undefined;
  const kept: Passage[] = [];
  const written = () => defuseFences(JSON.stringify({ passages: kept, ...shortened }));
  for (const passage of passages) {
    kept.push(passage);
    if (bytesOf(written()) <= maxBytes) continue;
    kept.pop();
    break;
  }
  return written();
}

function withinBytes(result: unknown): { rows_shown_of_each_list?: number; result: unknown } | undefined {
  if (isWithin(result)) return { result };
  for (const rows of rowsKept) {
    const cut = withRows(result, rows);
    if (isWithin(cut)) return { rows_shown_of_each_list: rows, result: cut };
  }
  return undefined;
}

const isWithin = (result: unknown): boolean => bytesOf(defuseFences(JSON.stringify(result))) <= maxResultBytes;

function withRows(value: unknown, rows: number): unknown {
  if (Array.isArray(value)) return value.slice(0, rows).map((each) => withRows(each, rows));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withRows(each, rows)]));
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
