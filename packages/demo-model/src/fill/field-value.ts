import { codedValues, type CodedKind, isIban } from '../values/coded.ts';
import type { Party } from './address-blocks.ts';
import { findInClauses } from './contract-clauses.ts';
import type { Field } from './field.ts';
import { labelledValues } from './labelled-values.ts';
import { findByFieldName } from './labelled-field.ts';
import { type Found, pageContext, type PageContext } from './page-context.ts';
import type { DocumentText } from '../page/document-text.ts';
import { type Parties, readParties } from './parties.ts';
import { readTotals, type Totals } from './totals.ts';

/** What is read once for a document and asked for by many fields. */
export interface DocumentFacts {
  context: PageContext;
  totals: Totals;
  parties: Parties;
}

const known = new WeakMap<DocumentText, DocumentFacts>();

/** The facts of a document, read once for all schemas that are filled from it. */
export function readFacts(document: DocumentText): DocumentFacts {
  const before = known.get(document);
  if (before) return before;
  const context = pageContext(document);
  const facts = { context, totals: readTotals(context), parties: readParties(context) };
  known.set(document, facts);
  return facts;
}

type Value = Found<string | number>;

const sellerWords =
  /(?:^| )(?:seller|vendor|supplier|merchant|store|shop|issuer|sender|company|from|restaurant|provider|verkaufer|lieferant|fournisseur|vendeur|fornitore|leverancier|proveedor)(?: |$)/u;
const buyerWords =
  /(?:^| )(?:buyer|customer|client|recipient|bill(?:ed)? to|billing|purchaser|kaufer|kunde|destinataire|klant|cliente|rechnungsempfanger|acheteur)(?: |$)/u;
const codedFields: readonly [RegExp, CodedKind][] = [
  [/(?:^| )iban(?: |$)/u, 'iban'],
  [/(?:^| )(?:bic|swift)(?: |$)/u, 'bic'],
  [
    /(?:^| )(?:vat|ust|tva|btw|iva)(?: registration)? (?:id|number|no|nr|identification)|^(?:ustid|ust idnr|vatin)$|tax id/u,
    'vatId',
  ],
  [/(?:^| )e ?mail(?: address)?$/u, 'email'],
  [/(?:^| )(?:website|url|web(?: address)?|homepage)$/u, 'website'],
];

/** Where rules know the labels of a field, another label must name it nearly word for word. */
const surelyNamed = 0.85;

/** The value of a scalar field, or null where nothing on the pages is sure enough. */
export function findFieldValue(field: Field, facts: DocumentFacts): Value | null {
  const { context } = facts;
  const coded = codedFields.find(([names]) => names.test(field.words));
  if (coded) return findCoded(coded[1], context, buyerWords.test(field.words));
  if (/(?:^| )currency(?: code)?$/u.test(field.words)) return findCurrency(context);
  const clause = findInClauses(field.words, context);
  if (clause) return clause;
  const party = partyField(field, facts.parties);
  if (party !== undefined) return party;
  if (/(?:^| )(?:phone|telephone|tel|fax|mobile)(?: number| no)?$/u.test(field.words)) return findPhone(field, context);

  const { concept } = field;
  if (!concept) return findByFieldName(field, context);
  if (concept.kind === 'amount') return facts.totals.get(concept.name) ?? null;
  const [best] = labelledValues(concept, context);
  return best ?? findByFieldName(field, context, surelyNamed) ?? fallback(concept.name, facts);
}

/** A paper's own date may stand without a label: then it is the first date of the page. */
function fallback(concept: string, { context }: DocumentFacts): Value | null {
  if (concept !== 'invoice_date') return null;
  const dates = labelledValues({ name: 'any_date', kind: 'date', field: /(?!)/u, labels: /^(?=[\s\S])/gu }, context);
  const [first] = dates.sort((a, b) => a.line.index - b.line.index);
  return first ?? null;
}

function partyField(field: Field, parties: Parties): Value | null | undefined {
  const isBuyer = buyerWords.test(field.words);
  if (!isBuyer && !sellerWords.test(field.words)) return undefined;
  const party: Party | null = isBuyer ? parties.buyer : parties.seller;
  const rest = field.words.replace(isBuyer ? buyerWords : sellerWords, ' ').trim();
  if (rest === '' || /^(?:(?:company|full|business) )?(?:name|company)$/u.test(rest))
    return party && ofParty(party, party.name);
  if (/^(?:(?:full|postal|street|billing|mailing) )?address$/u.test(rest)) {
    return party && party.address !== '' ? ofParty(party, party.address) : null;
  }
  return undefined;
}

function ofParty(party: Party, value: string): Value {
  return { value, written: value, line: party.line, score: 1 };
}

const codedLabels: Partial<Record<CodedKind, RegExp>> = { iban: /iban/iu, bic: /bic|swift/iu };

/** The first code of a kind; an IBAN or a bank's code stands after its name, since other codes look like them. */
function findCoded(kind: CodedKind, context: PageContext, ofBuyer: boolean): Value | null {
  const label = codedLabels[kind];
  for (const line of context.lines) {
    const from = label ? line.text.search(label) : 0;
    if (from === -1) continue;
    const match = codedValues[kind].exec(line.text.slice(from));
    if (!match || (kind === 'vatId' && isOfBuyer(line.text.slice(0, match.index)) !== ofBuyer)) continue;
    return { value: match[0], written: match[0], line, score: 1 };
  }
  return kind === 'iban' ? findUnlabelledIban(context) : null;
}

/** Whether the words before a code say that it is the other party's. */
function isOfBuyer(before: string): boolean {
  return /(?<!\p{L})(?:your|ihre|votre|vostra?|uw|su|customer|client|buyer|kunden?|käufer)(?!\p{L})/iu.test(before);
}

function findUnlabelledIban(context: PageContext): Value | null {
  for (const line of context.lines) {
    for (const [written] of line.text.matchAll(new RegExp(codedValues.iban.source, 'gu'))) {
      if (isIban(written)) return { value: written, written, line, score: 1 };
    }
  }
  return null;
}

/** How far down a letterhead may carry a phone number without saying so. */
const letterheadLines = 8;

function findPhone(field: Field, context: PageContext): Value | null {
  const named = findByFieldName({ ...field, kind: 'text' }, context);
  const [inNamed] = codedValues.phone.exec(named?.written ?? '') ?? [];
  if (named && inNamed !== undefined) return { ...named, value: inNamed, written: inNamed };
  const isFax = field.ownWords.includes('fax');
  const label = isFax ? /fax/iu : /(?:tel|phone|fon|mobile|call)\b/iu;
  for (const line of context.lines) {
    const at = line.text.search(label);
    const [written] = at === -1 ? [] : (codedValues.phone.exec(line.text.slice(at)) ?? []);
    if (written !== undefined) return { value: written, written, line, score: 1 };
  }
  const head = context.lines.filter((line) => line.cells.length > 0).slice(0, letterheadLines);
  for (const line of isFax ? [] : head) {
    const [written] = /(?:\+\d{1,3} |\(\d{2,5}\) ?)[\d ./-]{6,}\d|^\s*\d{3}-\d{3}-\d{4}\s*$/u.exec(line.text) ?? [];
    if (written !== undefined) return { value: written.trim(), written: written.trim(), line, score: 1 };
  }
  return null;
}

function findCurrency(context: PageContext): Value | null {
  const { currency } = context;
  if (currency === null) return null;
  const signs: Readonly<Record<string, RegExp>> = { EUR: /€|EUR/u, USD: /\$|USD/u, GBP: /£|GBP/u, MYR: /RM|MYR/u };
  const mark = signs[currency] ?? new RegExp(currency, 'u');
  const line = context.lines.find((one) => mark.test(one.text));
  return line ? { value: currency, written: currency, line, score: 1 } : null;
}
