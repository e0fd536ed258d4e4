import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import { linesBelow, type PageContext } from '../reading/page-context.ts';
import { hasLegalForm, hasPostalPlace, isDocumentTitle, isNameLike, isSalutation } from './name-forms.ts';

/** A name with its address, in lines below each other or on one line. */
export interface Party {
  name: string;
  /** Street, place and country as written, joined with commas; empty when only a name was found. */
  address: string;
  line: Line;
  /** Whether a label identifies it as seller or buyer. */
  isLabelled?: boolean;
  /** Whether there is more evidence for the name than its position, such as a registration number. */
  isConfirmed?: boolean;
}

/** A cell with its line. */
export interface PlacedCell {
  line: Line;
  cell: LayoutCell;
}

const maxBlockLines = 7;
const maxAddressLines = 5;
const labelOrRemark = /^[^:]{2,30}\s?:|^\(/u;

/** The cells of the column below a cell, up to its end. */
export function columnBelow(
  context: PageContext,
  line: Line,
  cell: LayoutCell,
  maxLines = maxBlockLines,
): PlacedCell[] {
  const column: PlacedCell[] = [];
  for (const next of linesBelow(context, line, maxLines)) {
    const under =
      next.cells.find((other) => Math.abs(other.start - cell.start) <= 4) ??
      next.cells.find((other) => overlap(cell, other) > 3) ??
      next.cells.find((other) => areAligned(other, cell));
    if (!under) {
      if (next.cells.some((other) => other.start <= cell.start) || column.length > 0) break;
      continue;
    }
    column.push({ line: next, cell: under });
  }
  return column;
}

const countries =
  /^(?:deutschland|germany|allemagne|osterreich|österreich|austria|schweiz|switzerland|suisse|france|frankreich|italia|italy|españa|espana|spain|nederland|netherlands|the netherlands|belgium|belgique|belgië|portugal|luxembourg|ireland|united kingdom|great britain|england|uk|usa|u\.s\.a\.|united states(?: of america)?|canada|australia|malaysia|singapore|india|poland|polska|sweden|sverige|denmark|danmark|norway|norge)$/iu;

/** Whether a text is a country, which can be the last line of an address but not a name. */
export function isCountry(text: string): boolean {
  return countries.test(text.trim());
}

/** Whether a text is the heading of a block, such as `Ship` above `Ann Low Ltd`: one word above a name of several words. */
function isBlockHeading(text: string, below: string): boolean {
  return /^[\p{L}-]+[.:]?$/u.test(text) && !hasLegalForm(text) && /^\D*\p{L} \D+$/u.test(below);
}

/** The party in a column: its first name, with the lines up to the place as the address. */
export function partyFromColumn(column: readonly PlacedCell[], isLabelled = true): Party | null {
  const isName = (placed: PlacedCell | undefined): boolean =>
    placed !== undefined && isNameLike(placed.cell.text) && !isCountry(placed.cell.text);
  const firstIndex = column.slice(0, 3).findIndex(isName);
  const isHeading =
    !isLabelled && isBlockHeading(column[firstIndex]?.cell.text ?? '', column[firstIndex + 1]?.cell.text ?? '');
  const nameIndex =
    isHeading && isName(column[firstIndex + 1]) && column.length > firstIndex + 2 ? firstIndex + 1 : firstIndex;
  const head = column[nameIndex];
  if (!head) return null;
  const lines = addressLines(column.slice(nameIndex));
  const isAddress = lines.some((part) => hasPostalPlace(part) || /\d/u.test(part));
  return { name: head.cell.text.replace(/[,;]$/u, ''), address: isAddress ? lines.join(', ') : '', line: head.line };
}

/** The address lines under a name: up to the place, a gap, or a line that is not part of an address. */
function addressLines([head, ...rest]: readonly PlacedCell[]): string[] {
  const lines: string[] = [];
  let previous = head?.line.index ?? 0;
  for (const [index, { line, cell }] of rest.entries()) {
    if (isOutsideAddress(cell.text) || line.index - previous > 2 || lines.length >= maxAddressLines) break;
    lines.push(cell.text.replace(/,$/u, ''));
    // A street number can look like a postal code, so a place on the next line is preferred.
    const next = rest[index + 1];
    if (hasPostalPlace(cell.text) && !(next && next.line.index - line.index <= 1 && hasPostalPlace(next.cell.text)))
      break;
    previous = line.index;
  }
  return lines;
}

/** Whether a line after an address is not part of it. */
export function isOutsideAddress(text: string): boolean {
  return (
    isDocumentTitle(text) ||
    labelOrRemark.test(text) ||
    /@|^www\.|^https?:/u.test(text) ||
    text.length > 60 ||
    isPhoneLine(text)
  );
}

function isPhoneLine(text: string): boolean {
  return /^(?:t[eé]l(?:[eé](?:ph|f)on[eo]?)?|tel[eé]phone|tlf|tfno|phone|fon|fax|ruf|mobile?|m[oó]vil|cell(?:ulare)?|call us|contact|recapito|\p{L}{1,3}(?=:))?[.:\s]*[+(\d][\d\s()/.-]{6,}$/iu.test(
    text,
  );
}

/** All blocks that end with a postal code and its place, from the top of the page. */
export function addressBlocks(context: PageContext): Party[] {
  const blocks: Party[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      if (!hasPostalPlace(cell.text)) continue;
      const party = senderLine(line, cell) ?? partyFromColumn(columnAbove(context, line, cell), false);
      if (party) blocks.push(party);
    }
  }
  return blocks;
}

/** The party in `Name - Street 1 - 12345 Place` on one line, as in the window of an envelope. */
function senderLine(line: Line, cell: LayoutCell): Party | null {
  const from = line.cells.indexOf(cell);
  const isInCell = cell.text.split(/\s[-–|•·●*]\s|\s*[•·●|]\s*/u).length >= 3;
  const text = isInCell ? cell.text : line.text;
  const parts = text
    .split(/\s+[-–|•·●*]\s+|\s*[•·●|]\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/\s{3,}/u.test(part));
  const [name, ...rest] = parts;
  if (!name || rest.length < 2 || (!isInCell && from > 4) || !isNameLike(name)) return null;
  if (!rest.some((part) => hasPostalPlace(part))) return null;
  return { name, address: rest.join(', '), line };
}

/** Whether two cells are aligned on the right or centred. */
function areAligned(one: LayoutCell, other: LayoutCell): boolean {
  return (
    Math.abs(one.end - other.end) <= 2 ||
    (overlap(one, other) > 0 && Math.abs(one.start + one.end - other.start - other.end) <= 5)
  );
}

function columnAbove(context: PageContext, line: Line, cell: LayoutCell): PlacedCell[] {
  const column = [{ line, cell }];
  let emptyLines = 0;
  for (let index = line.index - 1; index >= 0 && column.length < maxBlockLines && emptyLines <= 1; index -= 1) {
    const previous = context.lines[index];
    if (!previous || previous.page !== line.page) break;
    const above =
      previous.cells.find((other) => Math.abs(other.start - cell.start) <= 3) ??
      previous.cells.find((other) => areAligned(other, cell));
    if (!above) {
      emptyLines += 1;
      continue;
    }
    if (/^\(.*\)$/u.test(above.text)) continue;
    if (labelOrRemark.test(above.text) || hasPostalPlace(above.text) || isSalutation(above.text)) break;
    emptyLines = 0;
    column.unshift({ line: previous, cell: above });
  }
  return column;
}
