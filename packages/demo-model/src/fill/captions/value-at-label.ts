import { shareOf, type ValueKind } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import { itemColumns } from '../labels/item-columns.ts';
import { cellsRightOf, linesBelow, type PageContext } from '../reading/page-context.ts';
import { type Reading, readValue } from '../reading/read-value.ts';
import { isCaption } from './caption.ts';

/** The position of a label; `end` is the column in its cell where it ends. */
export interface LabelPlace {
  line: Line;
  cell: LayoutCell;
  end: number;
}

interface PlacedValue extends Reading {
  line: Line;
  /** The reliability of its place relative to the label, from 0 to 1. */
  place: number;
}

/** The reliability of each place of a value relative to its label, from 0 to 1. */
const reliability = {
  sameCell: 1,
  right: 0.95,
  secondRight: 0.8,
  below: 0.8,
  secondBelow: 0.7,
  belowRight: 0.5,
  above: 0.5,
} as const;

/** `(of which transport 13.28)`: its amount belongs to the remark and not to the label. */
const remark = /\([^()]*\p{L}{4}[^()]*\)/gu;

/** `Tax 15 % on 112.90`: the amount in the label's cell is the base of the one beside it. */
const base =
  /(?<!\p{L})(?:on|of|auf|von|aus|sur|de|su|di|sobre|van|op)\s+[\p{Sc}\p{L}]{0,4}\s?\d[\d.,'’ ]*\s?[\p{Sc}\p{L}]{0,4}$/iu;

/** The value of a label: after it in its cell, otherwise to the right, below or above. */
export function valueAtLabel(place: LabelPlace, kind: ValueKind, context: PageContext): PlacedValue | null {
  const after = place.cell.text.slice(place.end).replace(/^[\s:.=*º°-]+/u, '');
  const rest = kind === 'amount' ? after.replaceAll(remark, '') : after;
  const inCell = read(rest, place.line, kind, context, reliability.sameCell);
  const afterBase = inCell && kind === 'amount' && base.test(rest) ? amountToTheRight(place, context) : null;
  if (inCell) return afterBase ?? inCell;
  const isSentence = /\p{L}{3,}\s+\p{L}{3,}/u.test(rest);
  if (isSentence && kind !== 'amount') return null;
  return (
    (kind === 'amount' ? amountToTheRight(place, context) : valueToTheRight(place, kind, context)) ??
    valueBelow(place, kind, context) ??
    amountAbove(place, kind, context)
  );
}

/** The only cell of the line right above, further right than a label that is alone on its line: an unevenly printed row. */
function amountAbove({ line, cell }: LabelPlace, kind: ValueKind, context: PageContext): PlacedValue | null {
  if (kind !== 'amount' || line.cells.length > 1) return null;
  const previous = context.lines[line.index - 1];
  const [only, ...others] = previous?.cells ?? [];
  if (!previous || !only || others.length > 0 || previous.page !== line.page || only.start < cell.start) return null;
  const value = read(only.text, previous, kind, context, reliability.above);
  return value && value.written.length >= 0.6 * only.text.length ? value : null;
}

function read(text: string, line: Line, kind: ValueKind, context: PageContext, place: number): PlacedValue | null {
  if (kind === 'text' && isCaption({ text, folded: fold(text) }, context)) return null;
  const reading = text === '' ? null : readValue(text, kind, context);
  return reading && { ...reading, line, place };
}

function valueToTheRight({ line, cell }: LabelPlace, kind: ValueKind, context: PageContext): PlacedValue | null {
  const [first, second] = cellsRightOf(line, cell);
  return (
    (first ? read(first.text, line, kind, context, reliability.right) : null) ??
    (second ? read(second.text, line, kind, context, reliability.secondRight) : null)
  );
}

/** The second word of a label such as `TOTAL    ROUNDED`, whose words are far apart. */
const restOfLabel = /^(?:amount|due|gross|incl\p{L}*|net|paid|payable|price|rounded|sales)[\s.:]*$/iu;

/** Several amounts beside a label are rate, base and sum: the sum is the last one before the next text. */
function amountToTheRight({ line, cell }: LabelPlace, context: PageContext): PlacedValue | null {
  const right = cellsRightOf(line, cell);
  const next = right.findIndex((other) => /^\p{L}{4,}/u.test(other.text) && !restOfLabel.test(other.text));
  const beside = next === -1 ? right : right.slice(0, next);
  const amounts = beside.map((other) => read(other.text, line, 'amount', context, reliability.right));
  return amounts.findLast((amount) => amount !== null) ?? null;
}

function valueBelow(place: LabelPlace, kind: ValueKind, context: PageContext): PlacedValue | null {
  const { line, cell } = place;
  if (kind === 'amount' && isItemHeader(line)) return null;
  const [first, second] = linesBelow(context, line, kind === 'text' ? 1 : 2);
  if (!first) return null;
  const isLastOnLine = cellsRightOf(line, cell).length === 0;
  if (hasCellUnder(first, cell)) return valueUnder(first, cell, kind, context, reliability.below);
  const belowRight = isLastOnLine ? valueBelowRight(first, cell, kind, context) : null;
  return belowRight ?? (second ? valueUnder(second, cell, kind, context, reliability.secondBelow) : null);
}

/** The value in the cell that shares most columns with the label. A value inside a sentence belongs to the sentence. */
function valueUnder(
  line: Line,
  label: LayoutCell,
  kind: ValueKind,
  context: PageContext,
  place: number,
): PlacedValue | null {
  const under = line.cells
    .filter((other) => isUnder(other, label))
    .sort((a, b) => overlap(label, b) - overlap(label, a));
  for (const { text } of under) {
    const value = read(text, line, kind, context, place);
    if (value) return value.written.length >= 0.4 * text.length ? value : null;
  }
  return null;
}

/** The only cell of the next line to the right of the label, as when values are printed at the margin. */
function valueBelowRight(line: Line, label: LayoutCell, kind: ValueKind, context: PageContext): PlacedValue | null {
  const [only, ...others] = line.cells.filter((other) => other.start > label.end);
  return only && others.length === 0 ? read(only.text, line, kind, context, reliability.belowRight) : null;
}

function hasCellUnder(line: Line, label: LayoutCell): boolean {
  return line.cells.some((other) => isUnder(other, label));
}

function isUnder(other: LayoutCell, label: LayoutCell): boolean {
  return overlap(label, other) > 0 || Math.abs(label.start - other.start) <= 2;
}

/** Whether a line is the header of a table of items, so that the cells below are values of a single item. */
function isItemHeader(line: Line): boolean {
  const headers = line.cells.filter((cell) => itemColumns.some((column) => shareOf(cell, column.headers) > 0.5));
  return headers.length >= 3;
}
