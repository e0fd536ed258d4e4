import type { PrintedTable } from '../row-counting/count-rows.ts';
import { rowTokens, tokensOf } from './row-tokens.ts';

/** A row of a result, and the pages of its request. */
interface ResultRow {
  value: unknown;
  pages: ReadonlySet<number>;
}

/** The printed row of a row of a result. */
export interface RowMatch {
  table: number;
  row: number;
  /** Weighted share of the row's tokens that are in the printed row, 0–1. */
  score: number;
  /** Whether an earlier row of the result already has this printed row. */
  is_repeated: boolean;
}

interface Entry {
  table: number;
  row: number;
  page_num: number;
  tokens: Set<string>;
}

const minScore = 0.5;
/**
 * A row is a repetition if a printed row that is taken has this score, and a better one than all others by this margin. The score
 * is below 1, since rows on pages outside of the request score a tenth less.
 */
const minRepeatedScore = 0.7;
const minRepeatedMargin = 0.12;
/** If the count is rough, two printed rows can count as one. A repetition then also equals the first row that was matched. */
const minSameRowScore = 0.85;
/** Candidates are the printed rows with one of the row's rarest tokens, and the next rows after the last match. */
const maxTokenRows = 200;
const maxSearchedTokens = 4;
const nextRows = 3;
/** Taken from the score of a row on a page outside of the request. */
const otherPagePenalty = 0.1;

/** Prepares the search for printed rows. */
export function createRowMatcher(tables: readonly PrintedTable[]) {
  const entries: Entry[] = tables.flatMap(({ rows }, table) =>
    rows.map(({ text, page_num }, row) => ({ table, row, page_num, tokens: new Set(tokensOf(text)) })),
  );
  // Sorted by page, so that the next rows are on the pages of the request.
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
    /** Finds the printed row of each row of a result. A printed row has one row, besides repetitions. */
    match(rows: readonly ResultRow[]) {
      /** The tokens of the result's row, by the printed row that it has. */
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
          .filter(({ length }) => length > 0 && length <= maxTokenRows)
          .sort((a, b) => a.length - b.length)
          .slice(0, maxSearchedTokens);
        const candidates = new Set(rare.flat());
        for (let next = last + 1; next <= last + nextRows && next < entries.length; next += 1) candidates.add(next);
        let free: { index: number; score: number } | undefined;
        let any: { index: number; score: number } | undefined;
        for (const index of candidates) {
          const entry = entries[index]!;
          // A page outside of the request is chosen only if no other fits.
          const score = scoreOf(entry) - (pages.has(entry.page_num) ? 0 : otherPagePenalty);
          if (!any || isBetter(score, index, any, last)) any = { index, score };
          if (!taken.has(index) && (!free || isBetter(score, index, free, last))) free = { index, score };
        }
        if (!any || any.score < minScore) return undefined;
        const former = taken.get(any.index);
        const isRepeated =
          former !== undefined &&
          any.score >= minRepeatedScore &&
          any.score - (free?.score ?? 0) > minRepeatedMargin &&
          (tables[entries[any.index]!.table]!.is_certain || scoreOf({ tokens: former }) >= minSameRowScore);
        if (isRepeated) return matchOf(entries[any.index]!, any.score, true);
        if (!free || free.score < minScore) return undefined;
        taken.set(free.index, new Set(tokens));
        last = free.index;
        return matchOf(entries[free.index]!, free.score, false);
      });
    },
  };
}

/** Whether a printed row is the better match: by its score, then by its distance after the last match. */
function isBetter(score: number, index: number, other: { index: number; score: number }, last: number): boolean {
  if (Math.abs(score - other.score) > 1e-9) return score > other.score;
  const distance = (to: number): number => (to > last ? to - last : 1_000_000 + last - to);
  return distance(index) < distance(other.index);
}

function matchOf({ table, row }: Entry, score: number, is_repeated: boolean): RowMatch {
  return { table, row, score, is_repeated };
}
