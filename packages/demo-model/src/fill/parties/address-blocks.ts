import { type Cell, type Line, overlap } from '../../page/layout.ts';
import { linesBelow, type PageContext } from '../reading/page-context.ts';
import { hasCompanyForm, hasPostalPlace, isNameLike, isPaperTitle } from './name-forms.ts';

/** A name above an address, or a sender's line with both. */
export interface Party {
  name: string;
  /** Street, place and country as written, joined by commas; empty when only a name was found. */
  address: string;
  line: Line;
  /** Whether a label names it as seller or buyer. */
  isLabelled?: boolean;
  /** Whether more than its place at the top makes it a name, such as a registration number. */
  isConfirmed?: boolean;
}

/** A cell with the line it stands on. */
export interface PlacedCell {
  line: Line;
  cell: Cell;
}

const blockHeight = 7;
const maxAddressLines = 5;
const labelLine = /^[^:]{2,30}\s?:|^\(/u;

/** The cells of a column at and below a cell, until the column ends. */
export function columnBelow(context: PageContext, line: Line, cell: Cell, height = blockHeight): PlacedCell[] {
  const column: PlacedCell[] = [];
  for (const next of linesBelow(context, line, height)) {
    const under =
      next.cells.find((other) => Math.abs(other.start - cell.start) <= 4) ??
      next.cells.find((other) => overlap(cell, other) > 3) ??
      next.cells.find((other) => isSetAlike(other, cell));
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

/** Whether a text is the country of an address, and so not a name. */
export function isCountry(text: string): boolean {
  return countries.test(text.trim());
}

/** `Ship` over `Ann Low Ltd`: one word without a company's form over a name of several is what the block is called, in any language. */
function isCaptionLike(text: string, below: string): boolean {
  return /^[\p{L}-]+[.:]?$/u.test(text) && !hasCompanyForm(text) && /^\D*\p{L} \D+$/u.test(below);
}

/** Takes the first name of a column as the party, and the lines up to the place as the address. */
export function partyFromColumn(column: readonly PlacedCell[], isLabelled = true): Party | null {
  const isName = (placed: PlacedCell | undefined): boolean =>
    placed !== undefined && isNameLike(placed.cell.text) && !isCountry(placed.cell.text);
  const firstAt = column.slice(0, 3).findIndex(isName);
  const isHeading =
    !isLabelled && isCaptionLike(column[firstAt]?.cell.text ?? '', column[firstAt + 1]?.cell.text ?? '');
  const nameAt = isHeading && isName(column[firstAt + 1]) && column.length > firstAt + 2 ? firstAt + 1 : firstAt;
  const head = column[nameAt];
  if (!head) return null;
  const lines = addressLines(column.slice(nameAt));
  const isAddress = lines.some((part) => hasPostalPlace(part) || /\d/u.test(part));
  return { name: head.cell.text.replace(/[,;]$/u, ''), address: isAddress ? lines.join(', ') : '', line: head.line };
}

/** The address lines under a name: up to the place, a gap, or a line that is not part of an address. */
function addressLines([head, ...rest]: readonly PlacedCell[]): string[] {
  const lines: string[] = [];
  let previous = head?.line.index ?? 0;
  for (const [index, { line, cell }] of rest.entries()) {
    if (addressEnds(cell.text) || line.index - previous > 2 || lines.length >= maxAddressLines) break;
    lines.push(cell.text.replace(/,$/u, ''));
    // A street number can look like a postal code: a place in the next line is preferred.
    const next = rest[index + 1];
    if (hasPostalPlace(cell.text) && !(next && next.line.index - line.index <= 1 && hasPostalPlace(next.cell.text)))
      break;
    previous = line.index;
  }
  return lines;
}

/** Whether a line is no longer part of an address. */
export function addressEnds(text: string): boolean {
  return (
    isPaperTitle(text) ||
    labelLine.test(text) ||
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

/** Every block that ends in a postal code with its place, from the top of the page down. */
export function addressBlocks(context: PageContext): Party[] {
  const blocks: Party[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      if (!hasPostalPlace(cell.text)) continue;
      const sender = senderLine(line, cell);
      const party = sender ?? partyFromColumn(columnAbove(context, line, cell), false);
      if (party) blocks.push(party);
    }
  }
  return blocks;
}

/** `Name - Street 1 - 12345 Place` on one line, as in the window of an envelope. */
function senderLine(line: Line, cell: Cell): Party | null {
  const from = line.cells.indexOf(cell);
  const isSplit = cell.text.split(/\s[-–|•·●*]\s|\s*[•·●|]\s*/u).length >= 3;
  const text = isSplit ? cell.text : line.text;
  const parts = text
    .split(/\s+[-–|•·●*]\s+|\s*[•·●|]\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/\s{3,}/u.test(part));
  const [name, ...rest] = parts;
  if (!name || rest.length < 2 || (!isSplit && from > 4) || !isNameLike(name)) return null;
  if (!rest.some((part) => hasPostalPlace(part))) return null;
  return { name, address: rest.join(', '), line };
}

/** Whether two cells end together or share their middle: a column that is set to the right or centred. */
function isSetAlike(one: Cell, other: Cell): boolean {
  return (
    Math.abs(one.end - other.end) <= 2 ||
    (overlap(one, other) > 0 && Math.abs(one.start + one.end - other.start - other.end) <= 5)
  );
}

function columnAbove(context: PageContext, line: Line, cell: Cell): PlacedCell[] {
  const column = [{ line, cell }];
  let empty = 0;
  for (let index = line.index - 1; index >= 0 && column.length < blockHeight && empty <= 1; index -= 1) {
    const previous = context.lines[index];
    if (!previous || previous.page !== line.page) break;
    const over =
      previous.cells.find((other) => Math.abs(other.start - cell.start) <= 3) ??
      previous.cells.find((other) => isSetAlike(other, cell));
    if (!over) {
      empty += 1;
      continue;
    }
    if (/^\(.*\)$/u.test(over.text)) continue;
    if (labelLine.test(over.text) || hasPostalPlace(over.text)) break;
    empty = 0;
    column.unshift({ line: previous, cell: over });
  }
  return column;
}
