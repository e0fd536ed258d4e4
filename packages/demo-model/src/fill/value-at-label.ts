import { fold } from '../page/fold.ts';
import { overlap, type Cell, type Line } from '../page/layout.ts';
import { isCaption } from './captions/caption.ts';
import type { ValueKind } from './concept.ts';
import { itemColumns } from './tables/item-columns.ts';
import { shareOf } from './label.ts';
import { cellsRightOf, linesBelow, type PageContext } from './page-context.ts';
import { readValue, type Reading } from './read-value.ts';

/** Position of a label; `end` is its end column in its cell. */
export interface LabelPlace {
  line: Line;
  cell: Cell;
  end: number;
}

interface Value extends Reading {
  line: Line;
  /** The reliability of its place, from 0 to 1. */
  place: number;
}

/** The reliability of a position, from 0 to 1. */
const sureness = {
  sameCell: 1,
  right: 0.95,
  secondRight: 0.8,
  below: 0.8,
  secondBelow: 0.7,
  belowApart: 0.5,
  above: 0.5,
} as const;

/** `(of which transport 13.28)`: an amount within it is another one. */
const remark = /\([^()]*\p{L}{4}[^()]*\)/gu;

/** The value of a label: after it in its cell, otherwise to the right, otherwise below. */
export function valueAtLabel(place: LabelPlace, kind: ValueKind, context: PageContext): Value | null {
  const written = place.cell.text.slice(place.end).replace(/^[\s:.=*º°-]+/u, '');
  const rest = kind === 'amount' ? written.replaceAll(remark, '') : written;
  const behind = read(rest, place.line, kind, context, sureness.sameCell);
  if (behind) return behind;
  const isSentence = /\p{L}{3,}\s+\p{L}{3,}/u.test(rest);
  if (isSentence && kind !== 'amount') return null;
  return (
    (kind === 'amount' ? sumToTheRight(place, context) : valueToTheRight(place, kind, context)) ??
    below(place, kind, context) ??
    above(place, kind, context)
  );
}

/** The only cell of the line right above, further right than a label that stands alone: a row that was set or scanned unevenly. */
function above({ line, cell }: LabelPlace, kind: ValueKind, context: PageContext): Value | null {
  if (kind !== 'amount' || line.cells.length > 1) return null;
  const previous = context.lines[line.index - 1];
  const [only, ...others] = previous?.cells ?? [];
  if (!previous || !only || others.length > 0 || previous.page !== line.page || only.start < cell.start) return null;
  const value = read(only.text, previous, kind, context, sureness.above);
  return value && value.written.length >= 0.6 * only.text.length ? value : null;
}

function read(text: string, line: Line, kind: ValueKind, context: PageContext, place: number): Value | null {
  if (kind === 'text' && isCaption({ text, folded: fold(text) }, context)) return null;
  const reading = text === '' ? null : readValue(text, kind, context);
  return reading && { ...reading, line, place };
}

function valueToTheRight({ line, cell }: LabelPlace, kind: ValueKind, context: PageContext): Value | null {
  const [first, second] = cellsRightOf(line, cell);
  return (
    (first ? read(first.text, line, kind, context, sureness.right) : null) ??
    (second ? read(second.text, line, kind, context, sureness.secondRight) : null)
  );
}

/** `TOTAL    ROUNDED`: a label whose words were set apart. */
const restOfLabel = /^(?:amount|due|gross|incl\p{L}*|net|paid|payable|price|rounded|sales)[\s.:]*$/iu;

/** Several amounts beside a label are rate, base and sum: the last one, before another statement starts, is the sum. */
function sumToTheRight({ line, cell }: LabelPlace, context: PageContext): Value | null {
  const right = cellsRightOf(line, cell);
  const next = right.findIndex((other) => /^\p{L}{4,}/u.test(other.text) && !restOfLabel.test(other.text));
  const beside = next === -1 ? right : right.slice(0, next);
  const amounts = beside.map((other) => read(other.text, line, 'amount', context, sureness.right));
  return amounts.findLast((amount) => amount !== null) ?? null;
}

function below(place: LabelPlace, kind: ValueKind, context: PageContext): Value | null {
  const { line, cell } = place;
  if (kind === 'amount' && isItemHeader(line)) return null;
  const [first, second] = linesBelow(context, line, kind === 'text' ? 1 : 2);
  if (!first) return null;
  const isLastOnLine = cellsRightOf(line, cell).length === 0;
  if (hasCellUnder(first, cell)) return valueUnder(first, cell, kind, context, sureness.below);
  const apart = isLastOnLine ? valueApart(first, cell, kind, context) : null;
  return apart ?? (second ? valueUnder(second, cell, kind, context, sureness.secondBelow) : null);
}

/** The value in the cell that shares most columns with the label; a value inside a sentence belongs to the sentence. */
function valueUnder(line: Line, label: Cell, kind: ValueKind, context: PageContext, place: number): Value | null {
  const under = line.cells
    .filter((other) => isUnder(other, label))
    .sort((a, b) => overlap(label, b) - overlap(label, a));
  for (const { text } of under) {
    const value = read(text, line, kind, context, place);
    if (value) return value.written.length >= 0.4 * text.length ? value : null;
  }
  return null;
}

/** The only cell of the next line that stands further right, as where values are moved to the margin. */
function valueApart(line: Line, label: Cell, kind: ValueKind, context: PageContext): Value | null {
  const [only, ...others] = line.cells.filter((other) => other.start > label.end);
  return only && others.length === 0 ? read(only.text, line, kind, context, sureness.belowApart) : null;
}

function hasCellUnder(line: Line, label: Cell): boolean {
  return line.cells.some((other) => isUnder(other, label));
}

function isUnder(other: Cell, label: Cell): boolean {
  return overlap(label, other) > 0 || Math.abs(label.start - other.start) <= 2;
}

/** Whether a line is the header of a table of goods, so that the cells below are single entries. */
function isItemHeader(line: Line): boolean {
  const headers = line.cells.filter((cell) => itemColumns.some((column) => shareOf(cell, column.headers) > 0.5));
  return headers.length >= 3;
}
