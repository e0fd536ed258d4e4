import type { Line } from '../../page/layout.ts';
import { addressEnds, isCountry, type Party } from './address-blocks.ts';
import { hasPostalPlace, isNameLike, isPaperTitle } from './name-forms.ts';
import type { PageContext } from '../page-context.ts';

/** Columns: words of a heading are further apart than those of a line of text, but closer than two headings. */
const widestWordGap = 10;
/** Number of filled lines from the top that can name the sender. */
const headLines = 5;
const addressHeight = 6;
/** Lines between a name and its address on receipts: a registration number, a date, or the rest of the name. */
const registerNumber =
  /^[([{].*\d.*[)\]}]$|(?:reg|gst|vat|tax|roc|st|company|co)\.? ?(?:no|nr|id|number|#)\b|^(?:p\.? ?iva|c\.?i\.?f|n\.?i\.?f|siret|siren|ust|mwst|vat|btw|kvk|tva|che-)[\s.:-]*[\p{L}]{0,2}\d/iu;
const dateAlone = /^\d{1,4}[ ./-](?:\d{1,2}|\p{L}{3,9})[ ./-]\d{2,4}(?: \d{1,2}:\d{2}(?::\d{2})?)?$/u;

/** The lines at the top of the first page, each as one text when only wide spaces separate it. */
export function headTexts(context: PageContext): { line: Line; text: string }[] {
  const filled = context.lines.filter((line) => line.page === 1 && line.cells.length > 0);
  return filled.slice(0, headLines).flatMap((line) => {
    const text = wholeText(line);
    return text === undefined ? [] : [{ line, text }];
  });
}

/** A line's text with single spaces; undefined when its cells are columns. */
function wholeText({ cells }: Line): string | undefined {
  const isApart = cells.some((cell, index) => index > 0 && cell.start - cells[index - 1]!.end > widestWordGap);
  const hasTitle = cells.length > 1 && cells.some((cell) => isPaperTitle(cell.text));
  return isApart || hasTitle ? undefined : cells.map((cell) => cell.text).join(' ');
}

/** The address under the sender's name at the top of a receipt: centred lines, with or without a postal code. */
export function headAddress(context: PageContext, sender: Party): string {
  const parts: string[] = [];
  let isOpen = false;
  let last = sender.line.index;
  for (const line of context.lines.slice(sender.line.index + 1)) {
    if (line.page !== sender.line.page || line.index - last > 3 || parts.length >= addressHeight) break;
    if (line.cells.length === 0) {
      if (parts.some(hasPostalPlace)) break;
      continue;
    }
    const text = wholeText(line);
    // Lines set wide apart: what follows a gap belongs to the address where it ends it.
    if (text === undefined || (parts.length > 0 && line.index - last > 1 && !isOpen && !endsAddress(text))) break;
    const isBetween = parts.length === 0 && (registerNumber.test(text) || dateAlone.test(text) || isMoreOfName(text));
    if (!isBetween) {
      if ((addressEnds(text) && !(isOpen && /\b\d{5}\b/u.test(text))) || registerNumber.test(text)) break;
      parts.push(text.replace(/,$/u, ''));
      isOpen = text.endsWith(',');
    }
    last = line.index;
  }
  if (isOpen && !parts.some(hasPostalPlace)) return '';
  const address = parts.join(', ');
  if (isSpoilt(address)) return '';
  return /\d/u.test(address) && /\p{L}{3}/u.test(address) && /[\s,]/u.test(address) ? address : '';
}

/** An unopened bracket, or a missing house number: part of the address was not read. */
function isSpoilt(address: string): boolean {
  return address.split('(').length !== address.split(')').length || /^0(?!\d)/u.test(address);
}

/** A place with its postal code, in the form of any country. */
function endsAddress(text: string): boolean {
  return (
    hasPostalPlace(text) ||
    /^\d{4,6},? \p{Lu}/u.test(text) ||
    /^\p{Lu}[\p{L} .'-]+,? [A-Z]\d[\dA-Z] ?[A-Z\d]{3,5}$/u.test(text)
  );
}

function isMoreOfName(text: string): boolean {
  return isNameLike(text) && !/[\d,]/u.test(text) && !isCountry(text);
}
