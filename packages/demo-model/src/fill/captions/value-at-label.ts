import { shareOf, type ValueKind } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { itemColumns } from '../labels/item-columns.ts';
import { isPlausible } from '../labels/known-captions.ts';
import { cellsRightOf, linesBelow, type PageContext } from '../reading/page-context.ts';
import { type Reading, readValue } from '../reading/read-value.ts';
import { goesOn, wholeValue } from './whole-value.ts';
import { areCaptionsBelowValues, couldBeHeading, isHeading, valueCellAt } from './caption-places.ts';
import { isCaption } from './caption.ts';
import { isFormBox } from './form-box.ts';
import type { FoundLabel } from './found-label.ts';

import { crossedOption, isTickBox, tickedChoice } from './tick-boxes.ts';

/** The value that a label is searched for. */
export interface Wanted {
  kind: ValueKind;
  /** The meaning of its field as a caption of forms, which decides its form. */
  meaning?: string | undefined;
  /** Whether it is yes or no, and so is said by boxes. */
  isYesOrNo?: boolean;
  /** The pattern of a code, instead of the value of its kind. */
  code?: RegExp;
}

/** A value with its line. */
type PlacedValue = Omit<Candidate, 'source'>;

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

/** The values at labels, the best fit first, then in page order. */
export function labelledValues(labels: readonly FoundLabel[], wanted: Wanted, context: PageContext): Candidate[] {
  const found = labels.flatMap((label): Candidate[] => {
    const value = valueAtLabel(label, wanted, context);
    if (!value) return [];
    // The weights of captions were fitted without the reliability of the place.
    const fit = isCaptionOfField(label) ? label.fit : label.fit * value.fit;
    return [{ ...value, source: label.source, fit, isMarked: value.written.startsWith('#') }];
  });
  return found.sort((a, b) => b.fit - a.fit || a.line.index - b.line.index);
}

const isCaptionOfField = ({ source }: FoundLabel): boolean => source === 'caption' || source === 'similar';

/** `(of which transport 13.28)`: its amount belongs to the remark and not to the label. */
const remark = /\([^()]*\p{L}{4}[^()]*\)/gu;

/** `Tax 15 % on 112.90`: the amount in the label's cell is the base of the one beside it. */
const base =
  /(?<!\p{L})(?:on|of|auf|von|aus|sur|de|su|di|sobre|van|op)\s+[\p{Sc}\p{L}]{0,4}\s?\d[\d.,'’ ]*\s?[\p{Sc}\p{L}]{0,4}$/iu;

/** The value of a label: after it in its cell, otherwise to the right, below or above. */
function valueAtLabel(label: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  const isAmount = wanted.kind === 'amount';
  if (isCaptionOfField(label) && areCaptionsBelowValues(context)) return valueAbove(label, wanted, context);
  const after = label.cell.text.slice(label.end).replace(/^(?:[\s:.=*º°]|-(?!\d))+/u, '');
  const rest = isAmount ? after.replaceAll(remark, '') : after;
  const isText = wanted.kind === 'text' && !wanted.code && rest !== '';
  const start = label.cell.end - after.length;
  const whole = isText ? goesOn(rest, { line: label.line, start, end: label.cell.end }, context) : { text: rest };
  const inCell = withDoubt(read(whole.text, label.line, wanted, context, reliability.sameCell), whole);
  const afterBase = inCell && isAmount && base.test(rest) ? amountToTheRight(label, wanted, context) : null;
  if (inCell) return afterBase ?? inCell;
  const isSentence = !isAmount && /\p{L}{3,}\s+\p{L}{3,}/u.test(rest);
  if (isSentence || (isCaptionOfField(label) && rest !== '')) return null;
  const places = isFormBox(label.cell) ? [valueBelow, valueToTheRight] : [valueToTheRight, valueBelow];
  for (const valueAt of places) {
    const value = valueAt(label, wanted, context);
    if (value) return value;
  }
  return amountAbove(label, wanted, context);
}

function read(
  text: string,
  line: Line,
  { kind, meaning, code }: Wanted,
  context: PageContext,
  fit: number,
): PlacedValue | null {
  const ticked = kind === 'text' ? tickedChoice(text) : undefined;
  if (text === '' || ticked === null || (kind === 'text' && isCaption({ text, folded: fold(text) }, context)))
    return null;
  const reading = code ? readCode(text, code) : readValue(ticked ?? text, kind, context);
  return reading && (kind !== 'text' || code || isPlausible(meaning, reading.written))
    ? { ...reading, line, fit }
    : null;
}

function withDoubt(value: PlacedValue | null, { isUnsure }: { isUnsure?: boolean }): PlacedValue | null {
  return value && isUnsure ? { ...value, isUnsure } : value;
}

function readCode(text: string, code: RegExp): Reading | null {
  const [written] = code.exec(text) ?? [];
  return written === undefined ? null : { value: written, written };
}

function valueToTheRight(label: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  if (wanted.kind === 'amount' && !isCaptionOfField(label)) return amountToTheRight(label, wanted, context);
  const { line, cell } = label;
  const [first, second] = cellsRightOf(line, cell);
  if (!first) return null;
  if (wanted.isYesOrNo || isTickBox(first.text))
    return read(textOfChoices(line, cell, context), line, wanted, context, reliability.right);
  if (isCaptionOfField(label) && isCaption(first, context)) return null;
  const isCertainlyValue = label.end < cell.text.length || wanted.kind !== 'text';
  if (!isCertainlyValue && isHeading(line, cell, first, context)) return null;
  const isText = wanted.kind === 'text' && !wanted.code;
  const whole = isCertainlyValue && isText ? wholeValue(line, cell, context) : { text: first.text };
  const value = withDoubt(read(whole.text, line, wanted, context, reliability.right), whole);
  if (value && wanted.meaning === 'address') return { ...value, ...withLinesBelow(value, line, first, context) };
  if (value) return { ...value, resemblesCaption: !isCertainlyValue && couldBeHeading(line, cell, first, context) };
  return second && !isCaptionOfField(label) ? read(second.text, line, wanted, context, reliability.secondRight) : null;
}

/** The second word of a label such as `TOTAL    ROUNDED`, whose words are far apart. */
const restOfLabel = /^(?:amount|due|gross|incl\p{L}*|net|paid|payable|price|rounded|sales)[\s.:]*$/iu;

/** Several amounts beside a label are rate, base and sum: the sum is the last one before the next text. */
function amountToTheRight({ line, cell }: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  const right = cellsRightOf(line, cell);
  const next = right.findIndex((other) => /^\p{L}{4,}/u.test(other.text) && !restOfLabel.test(other.text));
  const beside = next === -1 ? right : right.slice(0, next);
  const amounts = beside.map((other) => read(other.text, line, wanted, context, reliability.right));
  return amounts.findLast((amount) => amount !== null) ?? null;
}

/** The boxes to the right of a caption, up to the next caption. */
function textOfChoices(line: Line, cell: LayoutCell, context: PageContext): string {
  const right = cellsRightOf(line, cell);
  const end = right.findIndex((other) => isCaption(other, context));
  return right
    .slice(0, end === -1 ? right.length : end)
    .map(({ text }) => text)
    .join('  ');
}

const maxAddressLines = 3;

/** An address with its lines below, which contain only a text at the same column. */
function withLinesBelow({ written }: Reading, line: Line, cell: LayoutCell, context: PageContext): Reading {
  const lines = [written];
  for (const next of linesBelow(context, line, maxAddressLines)) {
    const [only, ...others] = next.cells;
    if (!only || others.length > 0 || Math.abs(only.start - cell.start) > 2 || isCaption(only, context)) break;
    if (next.index !== line.index + lines.length) break;
    lines.push(only.text);
  }
  const address = lines.join(', ');
  return { value: address, written: address };
}

function valueBelow(label: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  const { line, cell } = label;
  const isAmount = wanted.kind === 'amount';
  if (isAmount && isItemHeader(line)) return null;
  const [first, second] = linesBelow(context, line, 2);
  if (!first) return null;
  const crossed = wanted.kind === 'text' ? crossedBelow(label, context) : null;
  if (crossed) return crossed;
  if (first.cells.some((other) => isUnder(other, cell)))
    return valueUnder(first, label, wanted, context, reliability.below);
  if (!isCaptionOfField(label) && cellsRightOf(line, cell).length === 0) {
    const value = valueBelowRight(first, cell, wanted, context);
    if (value) return value;
  }
  const canBeFurther = wanted.kind !== 'text' || isCaptionOfField(label);
  return second && canBeFurther ? valueUnder(second, label, wanted, context, reliability.secondBelow) : null;
}

const maxOptionLines = 5;

/** The option with a cross in the list under a caption, up to a gap or the next caption. */
function crossedBelow({ line, cell }: FoundLabel, context: PageContext): PlacedValue | null {
  const below = linesBelow(context, line, maxOptionLines);
  const end = below.findIndex(
    (next, index) =>
      next.cells.some(({ text }) => text.endsWith(':')) || (index > 0 && next.index - below[index - 1]!.index > 1),
  );
  const options = end === -1 ? below : below.slice(0, end);
  const nextOption = (other: LayoutCell): boolean => other.start <= cell.end + maxOptionOffset;
  const crossed = crossedOption(options.map(({ cells }) => cells.filter(nextOption).map(({ text }) => text)));
  const at = options.find(({ text }) => crossed !== undefined && text.includes(crossed));
  return crossed !== undefined && at ? { value: crossed, written: crossed, line: at, fit: reliability.below } : null;
}

/** The largest distance of an option from its caption, in columns. */
const maxOptionOffset = 12;

/** The least share of a cell under a label that its value has. A value inside a sentence belongs to the sentence. */
const minValueShare = 0.4;

/** The value in the cell that shares most columns with the label. */
function valueUnder(
  line: Line,
  { line: above, cell }: FoundLabel,
  wanted: Wanted,
  context: PageContext,
  fit: number,
): PlacedValue | null {
  const under = line.cells.filter((other) => isUnder(other, cell)).sort((a, b) => overlap(cell, b) - overlap(cell, a));
  for (const other of under) {
    const value = read(other.text, line, wanted, context, fit);
    if (!value) continue;
    if (!wanted.code && value.written.length < minValueShare * other.text.length) return null;
    return { ...value, resemblesCaption: wanted.kind === 'text' && resemblesCaption(above, line, other, context) };
  }
  return null;
}

/** The only cell of the next line to the right of the label, as when values are printed at the margin. */
function valueBelowRight(line: Line, label: LayoutCell, wanted: Wanted, context: PageContext): PlacedValue | null {
  const [only, ...others] = line.cells.filter((other) => other.start > label.end);
  return only && others.length === 0 ? read(only.text, line, wanted, context, reliability.belowRight) : null;
}

function isUnder(other: LayoutCell, label: LayoutCell): boolean {
  return overlap(label, other) > 0 || Math.abs(label.start - other.start) <= 2;
}

/** Whether a line is the header of a table of items, so that the cells below are values of a single item. */
function isItemHeader(line: Line): boolean {
  const headers = line.cells.filter((cell) => itemColumns.some((column) => shareOf(cell, column.headers) > 0.5));
  return headers.length >= 3;
}

/**
 * Whether a text under a caption could be the next caption: its line has other captions, or it has a value to its right
 * and the caption above has none. `City: Lyon` has its own value and does not make its neighbours captions.
 */
function resemblesCaption(above: Line, line: Line, cell: LayoutCell, context: PageContext): boolean {
  if (/\d/u.test(cell.text)) return false;
  const others = line.cells.filter((other) => other !== cell);
  if (others.some((other) => !other.text.includes(':') && isCaption(other, context))) return true;
  return above.cells.length === 1 && cellsRightOf(line, cell).length > 0;
}

function valueAbove({ line, cell }: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  const above = valueCellAt(-1, line, cell, context);
  return above ? read(above.text, context.lines[line.index - 1]!, wanted, context, reliability.above) : null;
}

/** The only cell of the line right above, further right than a label that is alone on its line: an unevenly printed row. */
function amountAbove({ line, cell }: FoundLabel, wanted: Wanted, context: PageContext): PlacedValue | null {
  if (wanted.kind !== 'amount' || line.cells.length > 1) return null;
  const previous = context.lines[line.index - 1];
  const [only, ...others] = previous?.cells ?? [];
  if (!previous || !only || others.length > 0 || previous.page !== line.page || only.start < cell.start) return null;
  const value = read(only.text, previous, wanted, context, reliability.above);
  return value && value.written.length >= 0.6 * only.text.length ? value : null;
}
