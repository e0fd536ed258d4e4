import type { Line } from '../../page/layout.ts';
import type { PageContext } from '../reading/page-context.ts';
import { isCountry, isOutsideAddress, type Party } from './address-blocks.ts';
import { hasPostalPlace, isDocumentTitle, isNameLike } from './name-forms.ts';

/** In columns of the layout text. Words of a heading are further apart than words of a text, but closer than two headings. */
const maxWordGap = 10;
/** The number of filled lines at the top that can name the sender. */
const maxHeadLines = 5;
const maxAddressLines = 6;
/** Registration numbers. On receipts they are between the name and the address, like dates. */
const registerNumber =
  /^[([{].*\d.*[)\]}]$|(?:reg|gst|vat|tax|roc|st|company|co)\.? ?(?:no|nr|id|number|#)\b|^(?:p\.? ?iva|c\.?i\.?f|n\.?i\.?f|siret|siren|ust|mwst|vat|btw|kvk|tva|che-)[\s.:-]*[\p{L}]{0,2}\d/iu;
const dateAlone = /^\d{1,4}[ ./-](?:\d{1,2}|\p{L}{3,9})[ ./-]\d{2,4}(?: \d{1,2}:\d{2}(?::\d{2})?)?$/u;

/** The texts of the first lines on the first page, without lines that consist of columns. */
export function headTexts(context: PageContext): { line: Line; text: string }[] {
  const filled = context.lines.filter((line) => line.page === 1 && line.cells.length > 0);
  return filled.slice(0, maxHeadLines).flatMap((line) => {
    const text = wholeText(line);
    return text === undefined ? [] : [{ line, text }];
  });
}

/** The text of a line with single spaces; undefined when its cells are columns. */
function wholeText({ cells }: Line): string | undefined {
  const hasColumns = cells.some((cell, index) => index > 0 && cell.start - cells[index - 1]!.end > maxWordGap);
  const hasTitle = cells.length > 1 && cells.some((cell) => isDocumentTitle(cell.text));
  return hasColumns || hasTitle ? undefined : cells.map((cell) => cell.text).join(' ');
}

/**
 * The address below the sender's name at the top of a receipt: centred lines, with or without a postal code. Empty when
 * there is none or a part of it is missing.
 */
export function headAddress(context: PageContext, sender: Party): string {
  const parts: string[] = [];
  let isOpen = false;
  let last = sender.line.index;
  for (const line of context.lines.slice(sender.line.index + 1)) {
    if (line.page !== sender.line.page || line.index - last > 3 || parts.length >= maxAddressLines) break;
    if (line.cells.length === 0) {
      if (parts.some(hasPostalPlace)) break;
      continue;
    }
    const text = wholeText(line);
    // Lines can have gaps between them. Text after a gap belongs to the address only if it completes the address.
    if (text === undefined || (parts.length > 0 && line.index - last > 1 && !isOpen && !completesAddress(text))) break;
    const isBeforeAddress =
      parts.length === 0 && (registerNumber.test(text) || dateAlone.test(text) || continuesName(text));
    if (!isBeforeAddress) {
      if ((isOutsideAddress(text) && !(isOpen && /\b\d{5}\b/u.test(text))) || registerNumber.test(text)) break;
      parts.push(text.replace(/,$/u, ''));
      isOpen = text.endsWith(',');
    }
    last = line.index;
  }
  if (isOpen && !parts.some(hasPostalPlace)) return '';
  const address = parts.join(', ');
  if (isIncomplete(address)) return '';
  return /\d/u.test(address) && /\p{L}{3}/u.test(address) && /[\s,]/u.test(address) ? address : '';
}

/** Whether a part of the address was not read: a bracket is missing, or the house number is a single 0. */
function isIncomplete(address: string): boolean {
  return address.split('(').length !== address.split(')').length || /^0(?!\d)/u.test(address);
}

/** Whether a text is a place with a postal code, in the format of any country. */
function completesAddress(text: string): boolean {
  return (
    hasPostalPlace(text) ||
    /^\d{4,6},? \p{Lu}/u.test(text) ||
    /^\p{Lu}[\p{L} .'-]+,? [A-Z]\d[\dA-Z] ?[A-Z\d]{3,5}$/u.test(text)
  );
}

function continuesName(text: string): boolean {
  return isNameLike(text) && !/[\d,]/u.test(text) && !isCountry(text);
}
