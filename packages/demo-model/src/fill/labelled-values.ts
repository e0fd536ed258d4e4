import { overlap, type Cell, type Line } from '../page/layout.ts';
import type { Concept, ValueKind } from './concept.ts';
import { itemColumns } from './item-columns.ts';
import { shareOf } from './label.ts';
import { cellsRightOf, linesBelow, type Found, type PageContext } from './page-context.ts';
import { readValue } from './read-value.ts';

/** How sure a label is by itself, before the place of its value counts. */
const strongLabel = 3;
const weakLabel = 1.5;

const placeFactor = { sameCell: 1, right: 0.95, below: 0.8, belowApart: 0.5 } as const;

interface LabelHit {
  line: Line;
  cell: Cell;
  /** Column in the cell where the label ends. */
  end: number;
  score: number;
}

/** Every value of the concept's kind that stands beside or below one of its labels, surest first, then in page order. */
export function labelledValues(concept: Concept, context: PageContext): Found<string | number>[] {
  const found: Found<string | number>[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      for (const hit of labelHits(concept, line, cell)) found.push(...valuesAt(hit, concept.kind, context));
    }
  }
  return found.sort((a, b) => b.score - a.score || a.line.index - b.line.index);
}

function labelHits(concept: Concept, line: Line, cell: Cell): LabelHit[] {
  const hits: LabelHit[] = [];
  const collect = (pattern: RegExp, base: number) => {
    for (const match of cell.folded.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (hits.some((hit) => hit.end >= end)) continue;
      const around = cell.folded.slice(Math.max(0, match.index - 24), end + 16);
      if (concept.not?.test(around)) continue;
      hits.push({ line, cell, end, score: base + standing(cell, match.index, end) });
    }
  };
  collect(concept.labels, strongLabel);
  if (concept.weakLabels) collect(concept.weakLabels, weakLabel);
  return hits;
}

/** A label that begins its cell, or is followed by a colon, is one; the same words in running text may be none. */
function standing(cell: Cell, start: number, end: number): number {
  const before = cell.folded.slice(0, start).replaceAll(/[^\p{L}]/gu, '');
  const after = cell.folded.slice(end).trimStart();
  let bonus = before === '' ? 0.6 : -0.4 - Math.min(0.8, before.length / 30);
  if (after.startsWith(':') || after === '') bonus += 0.4;
  return bonus;
}

function valuesAt(hit: LabelHit, kind: ValueKind, context: PageContext): Found<string | number>[] {
  const { line, cell } = hit;
  const take = (text: string, from: Line, factor: number): Found<string | number>[] => {
    const reading = readValue(text, kind, context);
    return reading ? [{ ...reading, line: from, score: hit.score * factor }] : [];
  };

  const rest = cell.text.slice(hit.end).replace(/^[\s:.=*-]+/u, '');
  const inCell = rest === '' ? [] : take(rest, line, placeFactor.sameCell);
  if (inCell.length > 0) return inCell;
  if (/\p{L}{3,}\s+\p{L}{3,}/u.test(rest) && kind !== 'amount') return [];

  const right = cellsRightOf(line, cell);
  for (const [index, other] of right.slice(0, kind === 'amount' ? 6 : 2).entries()) {
    // Several amounts beside a label are rate, base and sum: the last one is the sum.
    if (kind === 'amount') continue;
    const value = take(other.text, line, placeFactor.right - index * 0.15);
    if (value.length > 0) return value;
  }
  if (kind === 'amount') {
    const nextLabel = right.findIndex(beginsLabel);
    const beside = nextLabel === -1 ? right : right.slice(0, nextLabel);
    const amounts = beside.flatMap((other) => take(other.text, line, placeFactor.right));
    const last = amounts.at(-1);
    if (last) return [last];
  }
  return below(hit, kind, context, take, right.length === 0);
}

/** Whether an amount's cell is a new statement of its own, such as `Total: 5.00`. */
function beginsLabel(cell: Cell): boolean {
  return /^\p{L}{4,}/u.test(cell.text);
}

/** A value below a label stands alone; one inside a sentence belongs to the sentence. */
function isMostOf(written: string, text: string): boolean {
  return written.length >= 0.4 * text.length;
}

/** Whether a line is the header of a table of goods, so that what stands below its names are single entries. */
function isItemHeader(line: Line): boolean {
  const headers = line.cells.filter((cell) => itemColumns.some((column) => shareOf(cell, column.headers) > 0.5));
  return headers.length >= 3;
}

function below(
  hit: LabelHit,
  kind: ValueKind,
  context: PageContext,
  take: (text: string, from: Line, factor: number) => Found<string | number>[],
  isLastOnLine: boolean,
): Found<string | number>[] {
  const { cell } = hit;
  if (isItemHeader(hit.line) && kind === 'amount') return [];
  const lines = linesBelow(context, hit.line, kind === 'text' ? 1 : 2);
  for (const [distance, next] of lines.entries()) {
    const under = next.cells.filter((other) => overlap(cell, other) > 0 || Math.abs(cell.start - other.start) <= 2);
    for (const other of under.sort((a, b) => overlap(cell, b) - overlap(cell, a))) {
      const value = take(other.text, next, placeFactor.below - distance * 0.1);
      if (value.length > 0) return isMostOf(value[0]?.written ?? '', other.text) ? value : [];
    }
    if (under.length > 0) return [];
    const apart = next.cells.filter((other) => other.start > cell.end);
    const only = apart[0];
    if (isLastOnLine && distance === 0 && apart.length === 1 && only) {
      const value = take(only.text, next, placeFactor.belowApart);
      if (value.length > 0) return value;
    }
  }
  return [];
}
