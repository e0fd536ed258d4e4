import { captionMeaning } from '../fill/labels/known-captions.ts';
import { boxNumber, isFormBox } from '../fill/captions/form-box.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import type { DocumentLines } from '../page/document-text.ts';
import { wordsOf } from '../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../page/layout.ts';
import { amountsIn, decimalSignOf } from '../values/amount.ts';
import { datesIn, dayOrderOf } from '../values/date.ts';
import { isSentence, isValueAsLabel } from './why-nonsense.ts';

const maxFields = 20;
const maxNameLength = 48;
const maxNameWords = 5;
const maxValueLength = 60;

/** Fields for the `Label: value` pairs of a document and, in forms, for numbered boxes. `leftOut` has the labels that are values. */
export function fieldsFromLabels(
  document: DocumentLines,
  hasBoxes: boolean,
): { fields: Record<string, FieldSchema>; leftOut: string[] } {
  const leftOut: string[] = [];
  const text = document.lines.map((line) => line.text).join('\n');
  const fields = new Map<string, FieldSchema>();
  for (const line of document.lines) {
    for (const [index, cell] of line.cells.entries()) {
      const pair = labelAndValue(line, cell, index) ?? (hasBoxes ? boxAndValue(document, line, cell) : null);
      const name = pair && propertyName(pair.label);
      if (!pair || name === null || fields.has(name) || fields.size >= maxFields) continue;
      if (isValueAsLabel(pair.label) || isSentence(pair.value)) {
        leftOut.push(pair.label);
        continue;
      }
      fields.set(name, fieldFor(pair.label, pair.value, text));
    }
  }
  return { fields: Object.fromEntries(fields), leftOut };
}

function labelAndValue(line: Line, cell: LayoutCell, index: number): { label: string; value: string } | null {
  const match = /^(?<label>\p{L}[^:]{1,50}?)\s*:\s*(?<value>.*)$/u.exec(cell.text);
  if (!match?.groups || /^https?$/iu.test(match.groups.label ?? '')) return null;
  const value = match.groups.value !== '' ? match.groups.value : line.cells[index + 1]?.text;
  return value === undefined || value.endsWith(':') || value.length > maxValueLength
    ? null
    : { label: match.groups.label ?? '', value };
}

/** The name of a numbered box in a form, with the value below it. */
function boxAndValue(document: DocumentLines, line: Line, cell: LayoutCell): { label: string; value: string } | null {
  if (!isFormBox(cell)) return null;
  const below = document.lines.slice(line.index + 1, line.index + 3).find((next) => next.cells.length > 0);
  const value = below?.cells.find((other) => overlap(cell, other) > 0 && !isFormBox(other))?.text;
  const label = cell.text.replace(boxNumber, '').replace(/\s*\(.*$/u, '');
  return value === undefined ? null : { label, value };
}

/**
 * The usual name of a caption that is known in several languages, otherwise its words. Null for a caption with a number,
 * which is a value of this document: `GLN 4333741000005`.
 */
function propertyName(label: string): string | null {
  const words = wordsOf(label);
  const name = captionMeaning(words) ?? words.replaceAll(' ', '_');
  return /^\p{L}[^\d]+$/u.test(name) && name.length <= maxNameLength && name.split('_').length <= maxNameWords
    ? name
    : null;
}

function fieldFor(label: string, value: string, text: string): FieldSchema {
  const description = `As written beside “${label}”`;
  if (/^(?:\[[ x]?\]|☐|☒|☑)/iu.test(value)) return { type: ['boolean', 'null'], description };
  const [date] = datesIn(value, dayOrderOf(text));
  if (date && date.end - date.start > value.length - 3) {
    return { type: ['string', 'null'], description: `${description}, ISO 8601 (YYYY-MM-DD)`, format: 'date' };
  }
  const [amount] = amountsIn(value, decimalSignOf(text));
  const isNumber =
    amount !== undefined &&
    amount.end - amount.start >= value.trim().length - 4 &&
    /^[^\p{L}]*(?:\p{L}{1,3})?$/u.test(value);
  const isCode = /(?:number|no|nr|id|code|phone|tel|fax|zip)$/u.test(wordsOf(label)) || /^0\d/u.test(value);
  return isNumber && !isCode ? { type: ['number', 'null'], description } : { type: ['string', 'null'], description };
}
