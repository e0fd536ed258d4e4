import type { PrintedTable } from '../row-counting/count-rows.ts';
import { rowTokens, tokensOf } from './row-tokens.ts';

/** A row of a result, and the pages that its request held. */
interface ResultRow {
  value: unknown;
  pages: ReadonlySet<number>;
}

/** The printed row of a row of a result. */
export interface RowMatch {
  table: number;
  row: number;
  /** Weighted share of the row's values that are in the printed row, 0 to 1. */
  score: number;
  /** Whether an earlier row of the result has this printed row already. */
  is_repeated: boolean;
}

interface Entry {
  table: number;
  row: number;
  page_num: number;
  tokens: Set<string>;
}

const LEAST_SCORE = 0.5;
/**
 * A row is a repetition when the printed row that is taken fits so well, and so much better than any other. Less than a whole
 * fit, since rows that a request did not hold score a tenth less.
 */
const REPEATED_SCORE = 0.7;
const REPEATED_MARGIN = 0.12;
/** With a rough count, two printed rows can be counted as one: a repetition then equals the row that was matched first. */
const SAME_SCORE = 0.85;
/** Tokens on more rows than this find none. */
const COMMON = 200;
const SEARCHED_TOKENS = 4;
const NEXT_ROWS = 3;

/** Finds the printed row of each row of a result, each printed row once. */
interface RowMatcher {
  match(rows: readonly ResultRow[]): (RowMatch | undefined)[];
}

export function createRowMatcher(tables: readonly PrintedTable[]): RowMatcher {
  const entries: Entry[] = tables.flatMap(({ rows }, table) =>
    rows.map(({ text, page_num }, row) => ({ table, row, page_num, tokens: new Set(tokensOf(text)) })),
  );
  // By page, so that the rows of each request are matched on its own pages.
  entries.sort((a, b) => a.page_num - b.page_num || a.table - b.table || a.row - b.row);
  const postings = new Map<string, number[]>();
  for (const [index, { tokens }] of entries.entries()) {
    for (const token of tokens) {
      const known = postings.get(token);
      if (known) known.push(index);
      else postings.set(token, [index]);
    }
  }
  const weightOf = (token: string): number => 1 / (1 + Math.log(1 + (postings.get(token)?.length ?? 0)));

  return {
    match(rows) {
      /** The tokens of the row that has each printed row. */
      const taken = new Map<number, ReadonlySet<string>>();
      let last = -1;
      return rows.map(({ value, pages }) => {
        const tokens = [...new Set(rowTokens(value))];
        const total = tokens.reduce((sum, token) => sum + weightOf(token), 0);
        if (total === 0) return undefined;
        const scoreOf = ({ tokens: printed }: { tokens: ReadonlySet<string> }): number =>
          tokens.reduce((sum, token) => (printed.has(token) ? sum + weightOf(token) : sum), 0) / total;
        const rare = tokens
          .map((token) => postings.get(token) ?? [])
          .filter(({ length }) => length > 0 && length <= COMMON)
          .sort((a, b) => a.length - b.length)
          .slice(0, SEARCHED_TOKENS);
        const candidates = new Set(rare.flat());
        for (let next = last + 1; next <= last + NEXT_ROWS && next < entries.length; next += 1) candidates.add(next);
        let free: { index: number; score: number } | undefined;
        let any: { index: number; score: number } | undefined;
        for (const index of candidates) {
          const entry = entries[index]!;
          // Pages outside of the request score slightly lower, so that they win only if nothing else fits.
          const score = scoreOf(entry) - (pages.has(entry.page_num) ? 0 : 0.1);
          if (!any || isBetter(score, index, any, last)) any = { index, score };
          if (!taken.has(index) && (!free || isBetter(score, index, free, last))) free = { index, score };
        }
        if (!any || any.score < LEAST_SCORE) return undefined;
        const former = taken.get(any.index);
        const isRepeated =
          former !== undefined &&
          any.score >= REPEATED_SCORE &&
          any.score - (free?.score ?? 0) > REPEATED_MARGIN &&
          (tables[entries[any.index]!.table]!.is_certain || scoreOf({ tokens: former }) >= SAME_SCORE);
        if (isRepeated) return matchOf(entries[any.index]!, any.score, true);
        if (!free || free.score < LEAST_SCORE) return undefined;
        taken.set(free.index, new Set(tokens));
        last = free.index;
        return matchOf(entries[free.index]!, free.score, false);
      });
    },
  };
}

/** The better score; of equal ones, the next in order. */
function isBetter(score: number, index: number, other: { index: number; score: number }, last: number): boolean {
  if (Math.abs(score - other.score) > 1e-9) return score > other.score;
  const distance = (to: number): number => (to > last ? to - last : 1_000_000 + last - to);
  return distance(index) < distance(other.index);
}

function matchOf({ table, row }: Entry, score: number, is_repeated: boolean): RowMatch {
  return { table, row, score, is_repeated };
}
