import { wordsOf } from '../../page/fold.ts';
import { overlap, type Cell, type Line } from '../../page/layout.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Field } from '../field.ts';
import { typesOf } from '../json-schema.ts';
import { captionIn, isCaption, sameWords } from './caption.ts';
import { couldBeHeading, standsOverValue } from './caption-places.ts';
import { isFormBox } from './form-box.ts';
import { captionMeaning } from './known-captions.ts';
import { cellsRightOf, linesBelow, type PageContext } from '../page-context.ts';
import { readValue, type Reading } from '../read-value.ts';
import { isTickBox, tickedChoice } from './tick-boxes.ts';
import { holdsAllWords, isGeneral, wordSimilarity } from './word-similarity.ts';

const surest = 0.55;
/** `Wages, tips, other compensation` matches `wages`, with a lower fit than `Wages`. */
const beginsAlike = 0.75;
/** The values beside, below or above every caption that is known to ask for a field, or resembles its name or description. */
export function captionedValues(field: Field, context: PageContext, least = surest): Candidate[] {
  const found: Candidate[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      const { fit, isKnown } = labelLikeness(cell, field, context);
      if (fit < least && isKnown !== true) continue;
      const places = isFormBox(cell) ? [valueBelow, valueBeside] : [valueBeside, valueBelow];
      const ways = areBelowValues(context) ? [valueAbove] : places;
      for (const valueAt of ways) {
        const answer = valueAt(line, cell, field, context);
        if (!answer) continue;
        found.push({ ...answer, source: isKnown ? 'caption' : 'similar', fit });
        break;
      }
    }
  }
  return found;
}

/** What stands beside, below or above a caption. */
type Answer = Omit<Candidate, 'source' | 'fit'>;

function labelLikeness(cell: Cell, field: Field, { asked }: PageContext): { fit: number; isKnown?: boolean } {
  const label = captionIn(cell);
  if (label.length > 80) return { fit: 0 };
  const meaning = captionMeaning(label);
  if (meaning !== undefined && field.meaning !== undefined) {
    // Among captions that ask for the same, such as home and mailing address, the one named like the field is meant.
    return meaning === field.meaning
      ? { fit: 0.5 + 0.5 * wordSimilarity(label, field.words), isKnown: true }
      : { fit: 0 };
  }

  const begins =
    wordsOf(label).startsWith(`${field.ownWords} `) || holdsAllWords(label, field.ownWords) ? beginsAlike : 0;
  const byName = Math.max(wordSimilarity(label, field.words), wordSimilarity(label, field.ownWords) * 0.95, begins);
  const byDescription =
    field.description === '' || field.description.length > 80 ? 0 : 0.95 * wordSimilarity(label, field.description);
  const fit = Math.max(byName, byDescription);
  // `Phone` is the caption of `phone` and not of `work_phone`, where both are asked for.
  const isOwn = (words: string): boolean => [field.words, field.ownWords, field.description].includes(words);
  const isOfOther = (words: string): boolean => !isOwn(words) && wordSimilarity(label, words) >= sameWords;
  if (fit >= surest && fit < sameWords && asked.some(isOfOther)) return { fit: 0 };
  // `Amount` alone does not ask for an insured amount.
  return { fit: fit < sameWords && isGeneral(label) ? 0 : fit };
}

function readAnswer(text: string, field: Field, context: PageContext): Reading | null {
  const ticked = tickedChoice(text);
  if (ticked === null) return null;
  const reading = readValue(ticked ?? text, field.kind, context);
  return reading && (field.kind !== 'text' || isPlausible(field.meaning, reading.written)) ? reading : null;
}

function valueBeside(line: Line, cell: Cell, field: Field, context: PageContext): Answer | null {
  const colon = cell.text.search(/:(?:\s|$)/u);
  const rest = colon === -1 ? '' : cell.text.slice(colon).replace(/^[:\s]+/u, '');
  if (rest !== '') {
    const reading = readAnswer(rest, field, context);
    return reading ? { ...reading, line } : null;
  }
  const [beside] = cellsRightOf(line, cell);
  if (!beside || isCaption(beside, context)) return null;
  if (isTickBox(beside.text) || typesOf(field.schema).includes('boolean')) {
    const reading = readAnswer(textOfChoices(line, cell, context), field, context);
    return reading ? { ...reading, line } : null;
  }
  const isOwnStatement = colon !== -1 || field.kind !== 'text';
  if (!isOwnStatement && standsOverValue(line, cell, beside, context)) return null;
  const reading = readAnswer(beside.text, field, context);
  if (!reading) return null;
  if (field.meaning === 'address') return { ...withLinesBelow(reading, line, beside, context), line };
  return { ...reading, line, resemblesCaption: !isOwnStatement && couldBeHeading(line, cell, beside, context) };
}

const maxAddressLines = 3;

/** An address goes on in the lines below that have nothing but a text where it starts. */
function withLinesBelow({ written }: Reading, line: Line, cell: Cell, context: PageContext): Reading {
  const lines = [written];
  for (const next of linesBelow(context, line, maxAddressLines)) {
    const [only, ...others] = next.cells;
    if (!only || others.length > 0 || Math.abs(only.start - cell.start) > 2 || isCaption(only, context)) break;
    if (next.index !== line.index + lines.length) break;
    lines.push(only.text);
  }
  const whole = lines.join(', ');
  return { value: whole, written: whole };
}

/** The boxes at the right of a caption, to the next caption. */
function textOfChoices(line: Line, cell: Cell, context: PageContext): string {
  const right = cellsRightOf(line, cell);
  const end = right.findIndex((other) => isCaption(other, context));
  return right
    .slice(0, end === -1 ? right.length : end)
    .map(({ text }) => text)
    .join('  ');
}

function valueBelow(line: Line, cell: Cell, field: Field, context: PageContext): Answer | null {
  if (/:\s/u.test(cell.text)) return null;
  for (const next of linesBelow(context, line, 2)) {
    const under = next.cells.filter((other) => overlap(cell, other) > 0 || Math.abs(other.start - cell.start) <= 2);
    for (const other of under.sort((a, b) => overlap(cell, b) - overlap(cell, a))) {
      const reading = isCaption(other, context) ? null : readAnswer(other.text, field, context);
      if (reading) return { ...reading, line: next, resemblesCaption: resemblesCaption(line, next, other, context) };
    }
    if (under.length > 0) return null;
  }
  return null;
}

/**
 * Whether a text under a caption could be the next caption: other captions stand on its line, or it has a value at its right
 * where the caption above has none. `City: Lyon` says its value itself and makes its neighbours no captions.
 */
function resemblesCaption(above: Line, line: Line, cell: Cell, context: PageContext): boolean {
  if (/\d/u.test(cell.text)) return false;
  const others = line.cells.filter((other) => other !== cell);
  if (others.some((other) => !other.text.includes(':') && isCaption(other, context))) return true;
  return above.cells.length === 1 && cellsRightOf(line, cell).length > 0;
}

const fewestCaptions = 3;
const placed = new WeakMap<readonly string[], boolean>();

/**
 * Whether captions stand under the lines that people write on: the first row of captions has values right above it, and
 * the last one has nothing below.
 */
function areBelowValues(context: PageContext): boolean {
  const known = placed.get(context.asked);
  if (known !== undefined) return known;
  const rows = context.lines.filter(({ cells }) =>
    cells.some((cell) => !cell.text.includes(':') && isCaption(cell, context)),
  );
  const [first, last] = [rows[0], rows.at(-1)];
  const isBelow =
    rows.length >= fewestCaptions &&
    first !== undefined &&
    last !== undefined &&
    first.cells.every((cell) => isCaption(cell, context)) &&
    first.cells.some((cell) => valueCellAbove(context, first, cell) !== undefined) &&
    !last.cells.some((cell) => isValueUnder(context, last, cell)) &&
    !first.cells.every((cell) => isValueUnder(context, first, cell));
  placed.set(context.asked, isBelow);
  return isBelow;
}

/** The cell that starts where a caption does, on the line right above. */
function valueCellAbove(context: PageContext, line: Line, cell: Cell): Cell | undefined {
  const above = context.lines[line.index - 1];
  if (!above || above.page !== line.page) return undefined;
  return above.cells.find((other) => Math.abs(other.start - cell.start) <= 3 && !isCaption(other, context));
}

function isValueUnder(context: PageContext, line: Line, cell: Cell): boolean {
  const below = context.lines[line.index + 1];
  return (
    below !== undefined &&
    below.page === line.page &&
    below.cells.some((other) => Math.abs(other.start - cell.start) <= 3 && !isCaption(other, context))
  );
}

function valueAbove(line: Line, cell: Cell, field: Field, context: PageContext): Answer | null {
  const above = valueCellAbove(context, line, cell);
  const reading = above ? readAnswer(above.text, field, context) : null;
  return reading ? { ...reading, line: context.lines[line.index - 1]! } : null;
}

const lettersOnly = /^[^\d@]{2,60}$/u;
const hasDigit = /\d/u;

/** What a value must look like to be what a caption asks for; a caption that is not listed takes any text. */
const forms: Readonly<Record<string, RegExp>> = {
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

/** Whether a text can be the answer to a caption. A sentence is an explanation and never an answer. */
function isPlausible(meaning: string | undefined, text: string): boolean {
  if (sentence.test(text)) return false;
  const form = meaning === undefined ? undefined : forms[meaning];
  return form?.test(text) ?? true;
}
