import { wordsOf } from '../page/fold.ts';
import { overlap, type Cell, type Line } from '../page/layout.ts';
import type { Field } from './field.ts';
import { boxNumber, isFormBox } from './form-box.ts';
import { cellsRightOf, linesBelow, type Found, type PageContext } from './page-context.ts';
import { readValue } from './read-value.ts';
import { wordSimilarity } from './word-similarity.ts';

const surest = 0.55;
/** `Wages, tips, other compensation` matches `wages`, with a lower score than `Wages`. */
const beginsAlike = 0.6;

/** The value beside or below the label most similar to the field's name, for fields that no rule knows. */
export function findByFieldName(field: Field, context: PageContext, least = surest): Found<string | number> | null {
  let best: Found<string | number> | null = null;
  for (const line of context.lines) {
    for (const cell of line.cells) {
      const likeness = labelLikeness(cell, field);
      if (likeness < least || (best !== null && likeness <= best.score)) continue;
      const places = isFormBox(cell) ? [valueBelow, valueBeside] : [valueBeside, valueBelow];
      const found =
        places[0]?.(line, cell, field, context, likeness) ?? places[1]?.(line, cell, field, context, likeness);
      if (found) best = found;
    }
  }
  return best;
}

function labelLikeness(cell: Cell, field: Field): number {
  const label = labelOf(cell).replace(boxNumber, '');
  if (label.length > 80) return 0;
  const begins = wordsOf(label).startsWith(`${field.ownWords} `) ? beginsAlike : 0;
  const byName = Math.max(wordSimilarity(label, field.words), wordSimilarity(label, field.ownWords) * 0.95, begins);
  const byDescription =
    field.description === '' || field.description.length > 80 ? 0 : 0.9 * wordSimilarity(label, field.description);
  return Math.max(byName, byDescription);
}

function labelOf(cell: Cell): string {
  const colon = cell.text.search(/:(?:\s|$)/u);
  return colon === -1 ? cell.text : cell.text.slice(0, colon);
}

function valueBeside(
  line: Line,
  cell: Cell,
  field: Field,
  context: PageContext,
  score: number,
): Found<string | number> | null {
  const label = labelOf(cell);
  const rest = cell.text.slice(label.length).replace(/^[:\s]+/u, '');
  const [beside] = cellsRightOf(line, cell);
  const text = rest !== '' ? rest : beside && (cell.text.endsWith(':') || !isLabelLike(beside)) ? beside.text : '';
  const reading = text === '' ? null : readValue(text, field.kind, context);
  return reading ? { ...reading, line, score } : null;
}

function valueBelow(
  line: Line,
  cell: Cell,
  field: Field,
  context: PageContext,
  score: number,
): Found<string | number> | null {
  if (labelOf(cell) !== cell.text && !cell.text.endsWith(':')) return null;
  for (const next of linesBelow(context, line, 2)) {
    const under = next.cells.filter((other) => overlap(cell, other) > 0 || Math.abs(other.start - cell.start) <= 2);
    for (const other of under.sort((a, b) => overlap(cell, b) - overlap(cell, a))) {
      const reading = isLabelLike(other) ? null : readValue(other.text, field.kind, context);
      if (reading) return { ...reading, line: next, score: score * 0.98 };
    }
    if (under.length > 0) return null;
  }
  return null;
}

/** Whether a cell looks like a label itself: it ends in a colon, or is numbered like a box of a form. */
function isLabelLike(cell: Cell): boolean {
  return cell.text.endsWith(':') || isFormBox(cell);
}
