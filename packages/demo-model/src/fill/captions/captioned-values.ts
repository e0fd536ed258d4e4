import { wordsOf } from '../../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { captionMeaning } from '../labels/known-captions.ts';
import { containsAllWords, isGenericCaption, wordSimilarity } from '../labels/word-similarity.ts';
import { cellsRightOf, linesBelow, type PageContext } from '../reading/page-context.ts';
import { type Reading, readValue } from '../reading/read-value.ts';
import type { Field } from '../schema/field.ts';
import { typesOf } from '../schema/json-schema.ts';
import { couldBeHeading, isHeading } from './caption-places.ts';
import { captionIn, isCaption, minCaptionSimilarity } from './caption.ts';
import { isFormBox } from './form-box.ts';
import { isTickBox, tickedChoice } from './tick-boxes.ts';

/** A caption that fits worse is not considered, unless its meaning is that of the field. */
const defaultMinFit = 0.55;
/** The fit of a caption that contains the field's name, such as `Wages, tips, other compensation` for `wages`. */
const containedNameFit = 0.75;

/** The values beside, below or above each caption whose meaning is that of a field, or that resembles its name or description. */
export function captionedValues(field: Field, context: PageContext, minFit = defaultMinFit): Candidate[] {
  const found: Candidate[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      const { fit, isKnown } = captionFit(cell, field, context);
      if (fit < minFit && !isKnown) continue;
      const usualReaders = isFormBox(cell) ? [valueBelow, valueBeside] : [valueBeside, valueBelow];
      const readers = areCaptionsBelowValues(context) ? [valueAbove] : usualReaders;
      for (const read of readers) {
        const value = read(line, cell, field, context);
        if (!value) continue;
        found.push({ ...value, source: isKnown ? 'caption' : 'similar', fit });
        break;
      }
    }
  }
  return found;
}

/** The value of a caption, before its fit is known. */
type CaptionedValue = Omit<Candidate, 'source' | 'fit'>;

/** How well a caption fits a field, from 0 to 1, and whether its meaning is that of the field. */
function captionFit(cell: LayoutCell, field: Field, { fieldNames }: PageContext): { fit: number; isKnown: boolean } {
  const misfit = { fit: 0, isKnown: false };
  const caption = captionIn(cell);
  if (caption.length > 80) return misfit;
  const meaning = captionMeaning(caption);
  if (meaning !== undefined && field.meaning !== undefined) {
    // Several captions can have the same meaning, such as home and mailing address: similar words decide.
    return meaning === field.meaning
      ? { fit: 0.5 + 0.5 * wordSimilarity(caption, field.words), isKnown: true }
      : misfit;
  }

  const containsName = wordsOf(caption).startsWith(`${field.ownWords} `) || containsAllWords(caption, field.ownWords);
  const nameFit = Math.max(
    wordSimilarity(caption, field.words),
    wordSimilarity(caption, field.ownWords) * 0.95,
    containsName ? containedNameFit : 0,
  );
  const descriptionFit =
    field.description === '' || field.description.length > 80 ? 0 : 0.95 * wordSimilarity(caption, field.description);
  const fit = Math.max(nameFit, descriptionFit);
  if (fit >= minCaptionSimilarity) return { fit, isKnown: false };
  // `Phone` is the caption of `phone` and not of `work_phone`, when the schema has both.
  const isOwnName = (name: string): boolean => [field.words, field.ownWords, field.description].includes(name);
  const isCaptionOf = (name: string): boolean => wordSimilarity(caption, name) >= minCaptionSimilarity;
  if (fit >= defaultMinFit && fieldNames.some((name) => !isOwnName(name) && isCaptionOf(name))) return misfit;
  // `Amount` alone does not ask for an insured amount.
  return isGenericCaption(caption) ? misfit : { fit, isKnown: false };
}

function readCaptioned(text: string, field: Field, context: PageContext): Reading | null {
  const ticked = tickedChoice(text);
  if (ticked === null) return null;
  const reading = readValue(ticked ?? text, field.kind, context);
  return reading && (field.kind !== 'text' || isPlausible(field.meaning, reading.written)) ? reading : null;
}

function valueBeside(line: Line, cell: LayoutCell, field: Field, context: PageContext): CaptionedValue | null {
  const colon = cell.text.search(/:(?:\s|$)/u);
  const rest = colon === -1 ? '' : cell.text.slice(colon).replace(/^[:\s]+/u, '');
  if (rest !== '') {
    const reading = readCaptioned(rest, field, context);
    return reading ? { ...reading, line } : null;
  }
  const [beside] = cellsRightOf(line, cell);
  if (!beside || isCaption(beside, context)) return null;
  if (isTickBox(beside.text) || typesOf(field.schema).includes('boolean')) {
    const reading = readCaptioned(textOfChoices(line, cell, context), field, context);
    return reading ? { ...reading, line } : null;
  }
  const isCertainlyValue = colon !== -1 || field.kind !== 'text';
  if (!isCertainlyValue && isHeading(line, cell, beside, context)) return null;
  const reading = readCaptioned(beside.text, field, context);
  if (!reading) return null;
  if (field.meaning === 'address') return { ...withLinesBelow(reading, line, beside, context), line };
  return { ...reading, line, resemblesCaption: !isCertainlyValue && couldBeHeading(line, cell, beside, context) };
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

/** The boxes to the right of a caption, up to the next caption. */
function textOfChoices(line: Line, cell: LayoutCell, context: PageContext): string {
  const right = cellsRightOf(line, cell);
  const end = right.findIndex((other) => isCaption(other, context));
  return right
    .slice(0, end === -1 ? right.length : end)
    .map(({ text }) => text)
    .join('  ');
}

function valueBelow(line: Line, cell: LayoutCell, field: Field, context: PageContext): CaptionedValue | null {
  if (/:\s/u.test(cell.text)) return null;
  for (const next of linesBelow(context, line, 2)) {
    const under = next.cells.filter((other) => overlap(cell, other) > 0 || Math.abs(other.start - cell.start) <= 2);
    for (const other of under.sort((a, b) => overlap(cell, b) - overlap(cell, a))) {
      const reading = isCaption(other, context) ? null : readCaptioned(other.text, field, context);
      if (reading) return { ...reading, line: next, resemblesCaption: resemblesCaption(line, next, other, context) };
    }
    if (under.length > 0) return null;
  }
  return null;
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

const minCaptionLines = 3;
const belowByFields = new WeakMap<readonly string[], boolean>();

/**
 * Whether captions are printed under the lines that people write on: the first line of captions has values right above
 * it, and the last one has nothing below.
 */
function areCaptionsBelowValues(context: PageContext): boolean {
  const known = belowByFields.get(context.fieldNames);
  if (known !== undefined) return known;
  const lines = context.lines.filter(({ cells }) =>
    cells.some((cell) => !cell.text.includes(':') && isCaption(cell, context)),
  );
  const [first, last] = [lines[0], lines.at(-1)];
  const areBelow =
    lines.length >= minCaptionLines &&
    first !== undefined &&
    last !== undefined &&
    first.cells.every((cell) => isCaption(cell, context)) &&
    first.cells.some((cell) => valueCellAt(-1, first, cell, context) !== undefined) &&
    !last.cells.some((cell) => valueCellAt(1, last, cell, context) !== undefined) &&
    !first.cells.every((cell) => valueCellAt(1, first, cell, context) !== undefined);
  belowByFields.set(context.fieldNames, areBelow);
  return areBelow;
}

/** The cell right above (-1) or below (1) a caption that starts at the same column and is not a caption. */
function valueCellAt(distance: -1 | 1, line: Line, cell: LayoutCell, context: PageContext): LayoutCell | undefined {
  const next = context.lines[line.index + distance];
  if (!next || next.page !== line.page) return undefined;
  return next.cells.find((other) => Math.abs(other.start - cell.start) <= 3 && !isCaption(other, context));
}

function valueAbove(line: Line, cell: LayoutCell, field: Field, context: PageContext): CaptionedValue | null {
  const above = valueCellAt(-1, line, cell, context);
  const reading = above ? readCaptioned(above.text, field, context) : null;
  return reading ? { ...reading, line: context.lines[line.index - 1]! } : null;
}

const lettersOnly = /^[^\d@]{2,60}$/u;
const hasDigit = /\d/u;

/** The required form of a value, by the meaning of its caption. Other captions allow any text. */
const requiredForms: Readonly<Record<string, RegExp>> = {
  first_name: lettersOnly,
  last_name: lettersOnly,
  full_name: lettersOnly,
  emergency_contact: /\p{L}{2}/u,
  city: lettersOnly,
  nationality: lettersOnly,
  marital_status: lettersOnly,
  gender: lettersOnly,
  occupation: lettersOnly,
  postal_code: /^(?=.*\d)[\p{L}\d -]{3,10}$/u,
  phone: /(?:\d[\s()/.+-]*){5}/u,
  email: /\S@\S/u,
  policy_number: hasDigit,
  license_plate: hasDigit,
};
const sentence = /\p{L}+(?:[\s,]+\p{L}+){3,}\.$/u;

/** Whether a text can be the value of a caption. A sentence is an explanation and never a value. */
function isPlausible(meaning: string | undefined, text: string): boolean {
  if (sentence.test(text)) return false;
  const form = meaning === undefined ? undefined : requiredForms[meaning];
  return form?.test(text) ?? true;
}
