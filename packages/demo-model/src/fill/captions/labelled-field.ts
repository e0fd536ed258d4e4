import { wordsOf } from '../../page/fold.ts';
import { overlap, type Cell, type Line } from '../../page/layout.ts';
import type { Field } from '../field.ts';
import { captionIn, isCaption } from './caption.ts';
import { isFormBox } from './form-box.ts';
import { captionMeaning } from './known-captions.ts';
import { cellsRightOf, linesBelow, type Found, type PageContext } from '../page-context.ts';
import { isPlausible } from './plausible.ts';
import { readValue, type Reading } from '../read-value.ts';
import { wordSimilarity } from './word-similarity.ts';

const surest = 0.55;
/** `Wages, tips, other compensation` matches `wages`, with a lower score than `Wages`. */
const beginsAlike = 0.6;
/** A caption that is known to ask for the field, in whatever language and words. */
const knownCaption = 0.97;

/** The value beside or below the label most similar to the field's name, for fields that no rule knows. */
export function findByFieldName(field: Field, context: PageContext, least = surest): Found<string | number> | null {
  let best: Found<string | number> | null = null;
  for (const line of context.lines) {
    for (const cell of line.cells) {
      const likeness = labelLikeness(cell, field);
      if (likeness < least || (best !== null && likeness <= best.score)) continue;
      const places = isFormBox(cell) ? [valueBelow, valueBeside] : [valueBeside, valueBelow];
      const found = areBelowValues(context)
        ? valueAbove(line, cell, field, context, likeness)
        : (places[0]?.(line, cell, field, context, likeness) ?? places[1]?.(line, cell, field, context, likeness));
      if (found) best = found;
    }
  }
  return best;
}

function labelLikeness(cell: Cell, field: Field): number {
  const label = captionIn(cell);
  if (label.length > 80) return 0;
  const meaning = captionMeaning(label);
  if (meaning !== undefined && field.meaning !== undefined) {
    // Among captions that ask for the same, such as home and mailing address, the one named like the field is meant.
    return meaning === field.meaning ? knownCaption + 0.03 * wordSimilarity(label, field.words) : 0;
  }

  const begins = wordsOf(label).startsWith(`${field.ownWords} `) ? beginsAlike : 0;
  const byName = Math.max(wordSimilarity(label, field.words), wordSimilarity(label, field.ownWords) * 0.95, begins);
  const byDescription =
    field.description === '' || field.description.length > 80 ? 0 : 0.95 * wordSimilarity(label, field.description);
  return Math.max(byName, byDescription);
}

function readAnswer(text: string, field: Field, context: PageContext): Reading | null {
  const reading = readValue(text, field.kind, context);
  return reading && (field.kind !== 'text' || isPlausible(field.meaning, reading.written)) ? reading : null;
}

function valueBeside(
  line: Line,
  cell: Cell,
  field: Field,
  context: PageContext,
  score: number,
): Found<string | number> | null {
  const colon = cell.text.search(/:(?:\s|$)/u);
  const rest = colon === -1 ? '' : cell.text.slice(colon).replace(/^[:\s]+/u, '');
  const [beside] = cellsRightOf(line, cell);
  const text = rest !== '' ? rest : beside && !isCaption(beside, context) ? beside.text : '';
  const reading = text === '' ? null : readAnswer(text, field, context);
  return reading ? { ...reading, line, score } : null;
}

function valueBelow(
  line: Line,
  cell: Cell,
  field: Field,
  context: PageContext,
  score: number,
): Found<string | number> | null {
  if (/:\s/u.test(cell.text)) return null;
  for (const next of linesBelow(context, line, 2)) {
    const under = next.cells.filter((other) => overlap(cell, other) > 0 || Math.abs(other.start - cell.start) <= 2);
    for (const other of under.sort((a, b) => overlap(cell, b) - overlap(cell, a))) {
      const reading = isCaption(other, context) ? null : readAnswer(other.text, field, context);
      if (reading) return { ...reading, line: next, score: score * 0.98 };
    }
    if (under.length > 0) return null;
  }
  return null;
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

function valueAbove(
  line: Line,
  cell: Cell,
  field: Field,
  context: PageContext,
  score: number,
): Found<string | number> | null {
  const above = valueCellAbove(context, line, cell);
  const reading = above ? readAnswer(above.text, field, context) : null;
  return reading ? { ...reading, line: context.lines[line.index - 1]!, score } : null;
}
