import { labelPattern } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import type { LayoutCell, Line } from '../../page/layout.ts';
import { codedValues } from '../../values/coded.ts';
import { isStreet } from '../../values/streets.ts';
import { cellsRightOf, type PageContext } from '../reading/page-context.ts';
import { addressBlocks, columnBelow, type Party, partyFromColumn } from './address-blocks.ts';
import { headAddress, headTexts } from './letterhead.ts';
import { cleanName, hasLegalForm, hasPostalPlace, isDocumentTitle, isNameLike } from './name-forms.ts';

export interface Parties {
  seller: Party | null;
  buyer: Party | null;
}

const buyerNameLabels = labelPattern([
  '(?:customer|client|buyer|bill to|recipient) name',
  'name (?:of )?(?:customer|client|buyer)',
  'kundenname',
  'nom (?:du )?client',
  'nome (?:del )?cliente',
]);
const buyerLabels = labelPattern([
  '(?:bill|billed|invoice|invoiced|sold|issued)(?:ing)? to(?: address)?',
  'billing address',
  'bill to address',
  'buyer',
  'purchaser',
  'customer',
  'client',
  'recipient',
  'attn',
  'kaufer(?: leistungsempfanger)?',
  'rechnungsempfanger',
  'rechnungsadresse',
  'rechnung an',
  'kunde',
  'empfanger',
  'destinataire',
  'facture a',
  'adresse a',
  'intestata a',
  'fatturare a',
  'facturado a',
  'auftraggeber',
  'besteller',
  'adresse de facturation',
  'klant',
  'factuuradres',
  'cliente',
  'destinatario',
  'spett ?le',
  'intestatario',
  'facturar a',
  'to',
  'an',
]);
const sellerLabels = labelPattern([
  'seller',
  'vendor',
  'supplier',
  'issued by',
  'from',
  'service provider',
  'provider',
  'verkaufer',
  'rechnungs(?:steller|ersteller)',
  'lieferant',
  'absender',
  'fournisseur',
  'emetteur',
  'vendeur',
  'leverancier',
  'verkoper',
  'afzender',
  'fornitore',
  'cedente(?: prestatore)?',
  'mittente',
  'proveedor',
  'emisor',
  'vendedor',
  'remit to',
  'merchant',
]);

/** Finds seller and buyer: by label, otherwise by letterhead, sender's line, legal form and web address. */
export function readParties(context: PageContext): Parties {
  const blocks = addressBlocks(context);
  const labelledSeller = labelledParty(context, sellerLabels);
  const labelledBuyer = labelledParty(context, buyerNameLabels) ?? labelledParty(context, buyerLabels);
  const letterhead = letterheadParty(context, blocks, labelledBuyer?.name);
  const isRemittance =
    labelledSeller !== null && letterhead !== null && /remit/u.test(fold(textAbove(context, labelledSeller)));
  const seller = isRemittance ? letterhead : (labelledSeller ?? letterhead);
  const buyer =
    labelledBuyer ?? blocks.find((block) => seller !== null && !isSameName(block.name, seller.name)) ?? null;
  return {
    seller: withHeadAddress(context, withAddress(seller, blocks)),
    buyer: withAddress(buyer ?? windowParty(context, seller, blocks), blocks),
  };
}

/** The party in the window of an envelope: the column below the sender's line. */
function windowParty(context: PageContext, seller: Party | null, blocks: readonly Party[]): Party | null {
  const isSenderLine = ({ name, line }: Party) => line.cells.some(({ text }) => text.startsWith(name) && text !== name);
  const sender = blocks.find((block) => seller !== null && isSameName(block.name, seller.name) && isSenderLine(block));
  const cell = sender?.line.cells.find(({ text }) => text.startsWith(sender.name));
  const party = sender && cell ? partyFromColumn(columnBelow(context, sender.line, cell)) : null;
  return party && seller && !isSameName(party.name, seller.name) ? party : null;
}

function textAbove(context: PageContext, party: Party): string {
  return context.lines
    .slice(Math.max(0, party.line.index - 2), party.line.index)
    .map((line) => line.text)
    .join(' ');
}

/** The party below, beside or after a label that starts its cell. */
function labelledParty(context: PageContext, labels: RegExp): Party | null {
  for (const line of context.lines) {
    for (const cell of line.cells) {
      const match = [...cell.folded.matchAll(labels)].find((hit) => hit.index === 0);
      if (!match) continue;
      const rest = cell.text.slice(match[0].length);
      const party = partyAfterLabel(context, line, cell, rest);
      if (party) return { ...party, isLabelled: true };
    }
  }
  return null;
}

function partyAfterLabel(context: PageContext, line: Line, cell: LayoutCell, rest: string): Party | null {
  const value = rest
    .replace(/^\s*[:.]\s*/u, '')
    .replace(/\s*<[^>]*>\s*$/u, '')
    .trim();
  const hasColon = /^\s*:/u.test(rest);
  if (value !== '') return hasColon && isNameLike(value) ? { name: value, address: '', line } : null;
  const [beside] = cellsRightOf(line, cell);
  if (hasColon && beside && isNameLike(beside.text) && !beside.text.endsWith(':'))
    return { name: beside.text, address: '', line };
  const column = columnBelow(context, line, cell);
  const named = column.filter(({ cell: { text } }) => !/^[^:]{2,24}\s?:\s?\S/u.test(text) && !text.startsWith('('));
  const [first, ...others] = named.length > 0 ? named : column;
  const attention = column[0]?.cell.text.replace(/^(?:attn|attention|z\. ?hd\.?|c\/o)\s*:?\s*/iu, '');
  if (column[0] && attention !== undefined && attention !== column[0].cell.text) {
    const rest = first === column[0] ? others : column.slice(1);
    return partyFromColumn([{ line: column[0].line, cell: { ...column[0].cell, text: attention } }, ...rest]);
  }
  return partyFromColumn(named);
}

/** `Northwind Retail SB (306255-X)`: a registration number follows a company's full name. */
const registeredName = /^(?<name>\p{L}[^(){}:]{4,}?)\s?(?:[({[]\d{5,}-?\p{Lu}[)}\]]|\s\d{5,}-\p{Lu}(?!\p{L}))/u;

/** Scores the names at the top of the first page and the address blocks. The best one is the seller. */
function letterheadParty(context: PageContext, blocks: readonly Party[], buyerName: string | undefined): Party | null {
  const candidates = new Map<string, { party: Party; score: number }>();
  const spaced = new Map(
    headTexts(context)
      .filter(isSpacedName)
      .map(({ line, text }) => [line, text]),
  );
  const add = (found: Party, score: number) => {
    const party = { ...found, name: cleanName(spaced.get(found.line) ?? found.name) };
    const key = fold(party.name);
    const known = candidates.get(key);
    if (known) known.score += score * 0.6;
    else candidates.set(key, { party, score });
  };
  const addresses = webAddressesIn(context.text);
  const filled = context.lines.filter((line) => line.page === 1 && line.cells.length > 0);
  for (const [index, line] of filled.entries()) {
    for (const cell of line.cells) {
      const registered = registeredName.exec(cell.text)?.groups?.name;
      const name = cleanName(registered ?? cell.text.replace(/\s+(?:Invoice|INVOICE|Rechnung|Receipt)$/u, ''));
      if (!isNameLike(name) || isDocumentTitle(name) || hasPostalPlace(name)) continue;
      const isAtTop = index < 3;
      const score =
        (isAtTop ? 1.6 - index * 0.4 : 0) +
        (registered !== undefined ? 2 : hasLegalForm(name) ? 1.5 : 0) +
        (isInWebAddress(name, addresses) ? 1.5 : 0);
      if (score > 0) add({ name, address: '', line }, score);
    }
  }
  for (const [index, block] of blocks.entries()) {
    const isSenderLine = block.line.text.includes(block.address.split(', ').at(-1) ?? '\0') && block.address !== '';
    add(block, (isSenderLine ? 3 : 0.5) + (index === 0 ? 0.3 : 0));
  }
  const [best] = [...candidates.values()]
    .filter(({ party }) => buyerName === undefined || !isSameName(party.name, buyerName))
    .sort((a, b) => b.score - a.score || a.party.line.index - b.party.line.index);
  const named = best && { ...best.party, isConfirmed: best.score >= 2 };
  const party = named && best.score >= 1.2 ? withNameAbove(context, named) : null;
  return party && isStreet(party.name) ? null : party;
}

/** A name with wide spaces between its words, rather than several names side by side. */
function isSpacedName({ line, text }: { line: Line; text: string }): boolean {
  return line.cells.length > 1 && isNameLike(text) && !line.cells.slice(0, -1).some((cell) => hasLegalForm(cell.text));
}

/** The party of a block that starts with its street. Its name is further up, centred or in large letters. */
function withNameAbove(context: PageContext, party: Party): Party {
  if (!/^\d/u.test(party.name)) return party;
  const above = headTexts(context).findLast(({ line, text }) => line.index < party.line.index && isNameLike(text));
  if (!above || party.line.index - above.line.index > 3 || /^\d/u.test(above.text)) return party;
  const named = { name: cleanName(above.text), address: '', line: above.line };
  return { ...named, address: headAddress(context, named) };
}

/** Whether a web or e-mail address contains the first word of a name, as `www.brightwater-tools.example` for `Brightwater Tools AG`. */
function isInWebAddress(name: string, addresses: readonly string[]): boolean {
  const [first = ''] = fold(name).split(/[^\p{L}\d]+/u);
  return first.length >= 4 && addresses.some((address) => address.includes(first));
}

/** The e-mail and web addresses in a text, without the signs between their words. */
function webAddressesIn(text: string): string[] {
  const pattern = new RegExp(`${codedValues.email.source}|${codedValues.website.source}`, 'gu');
  return (fold(text).match(pattern) ?? []).map((address) => address.replaceAll(/[-_.]/gu, ''));
}

/** Whether one name is the start of the other. */
function isSameName(a: string, b: string): boolean {
  const [left, right] = [fold(a), fold(b)];
  return left === right || left.startsWith(right) || right.startsWith(left);
}

function withHeadAddress(context: PageContext, party: Party | null): Party | null {
  if (party === null || !headTexts(context).some(({ line }) => line === party.line)) return party;
  const address = headAddress(context, party);
  return party.address === '' || address.includes(party.address) ? { ...party, address } : party;
}

function withAddress(party: Party | null, blocks: readonly Party[]): Party | null {
  if (party === null || party.address !== '') return party;
  const block = blocks.find((other) => isSameName(other.name, party.name) && other.address !== '');
  return block ? { ...party, address: block.address } : party;
}
