import type { Line } from '../page/layout.ts';
import { type CodedKind, codedValues, isIban } from '../values/coded.ts';
import { datesIn } from '../values/date.ts';
import { isStreet } from '../values/streets.ts';
import type { Candidate, FoundBy } from './candidates/candidate.ts';
import { conceptLabels, fieldCaptions, patternLabels } from './captions/found-label.ts';
import { labelledValues } from './captions/value-at-label.ts';
import type { DocumentFacts } from './document-facts.ts';
import type { Party } from './parties/address-blocks.ts';
import { hasLegalForm } from './parties/name-forms.ts';
import type { Parties } from './parties/parties.ts';
import type { PageContext } from './reading/page-context.ts';
import type { Field } from './schema/field.ts';
import { typesOf } from './schema/json-schema.ts';

/** The required fit of other captions for a field whose labels are known. */
const minFitOfOtherCaptions = 0.85;

/** All possible values of a scalar field on the pages. */
export function candidatesFor(field: Field, facts: DocumentFacts): Candidate[] {
  const { context, totals, parties } = facts;
  const coded = codedKindOf(field);
  if (coded) return codesOf(coded, field, context);
  if (/(?:^| )currency(?: code)?$/u.test(field.words)) return documentCurrency(context);
  const { concept, meaning } = field;
  const isPhone =
    /(?:^| )(?:phone|telephone|tel|fax|telefax|facsimile|telecopy|telecopier|mobile)(?: number| no)?$/u.test(
      field.words,
    );
  if (isPhone) return phones(field, context);
  const minFit = concept || requestedParty(field) ? minFitOfOtherCaptions : undefined;
  const captioned = captionedValues(field, context, minFit).map((candidate) =>
    requestedParty(field)?.part === 'name' ? withoutStreet(candidate) : candidate,
  );
  if (!concept) return [...clauseValues(field.words, context), ...captioned, ...partyValues(field, parties)];
  if (concept.kind === 'amount') {
    const sum = totals.get(concept.name);
    return [...(meaning === undefined ? captioned : []), ...(sum ? [sum] : [])];
  }
  const titled = concept.name === 'invoice_date' ? titleDates(context) : [];
  const atLabels = labelledValues(conceptLabels(concept, context), { kind: concept.kind }, context);
  const labelled = [...atLabels, ...captioned, ...titled];
  return labelled.length === 0 && concept.name === 'invoice_date' ? firstDate(context) : labelled;
}

/** Whether the pages have a label of a field, so that an empty value is one that was not read, or a place that was left empty. */
export function hasLabelOf(field: Field, { context }: DocumentFacts): boolean {
  if (field.concept && conceptLabels(field.concept, context).some(({ source }) => source === 'label')) return true;
  return fieldCaptions(field, context, minFitOfOtherCaptions).length > 0;
}

function captionedValues(field: Field, context: PageContext, minFit?: number): Candidate[] {
  const { kind, meaning, schema } = field;
  const isYesOrNo = typesOf(schema).includes('boolean');
  return labelledValues(fieldCaptions(field, context, minFit), { kind, meaning, isYesOrNo }, context);
}

function textCandidate(value: string, line: Line, source: FoundBy, fit = 1): Candidate {
  return { value, written: value, line, source, fit };
}

const titleLines = 20;
const title =
  /^(?:\p{L}*rechnung|(?:tax )?invoice|facture|fattura|factura|factuur|receipt|bill|statement)(?: (?:(?:no|nr)\.? ?|# ?)?[\p{L}/-]*\d[\p{L}\d/-]*)?$/iu;

/** The date beside the title of the document: `Rechnung      24. Januar 2014`. */
function titleDates(context: PageContext): Candidate[] {
  return context.lines.slice(0, titleLines).flatMap((line): Candidate[] => {
    const [cell, beside] = line.cells.slice(-2);
    const [date] = cell && beside && title.test(cell.text) ? datesIn(beside.text, context.dayOrder) : [];
    if (!beside || !date || date.end - date.start < beside.text.length - 1) return [];
    return [{ value: date.iso, written: beside.text, line, source: 'label', fit: 0.9 }];
  });
}

/** The date of a document can have no label. Then it is the first date on the pages. */
function firstDate(context: PageContext): Candidate[] {
  for (const line of context.lines) {
    const [date] = datesIn(line.text, context.dayOrder);
    const written = date ? line.text.slice(date.start, date.end) : '';
    if (date) return [{ value: date.iso, written, line, source: 'place', fit: 1 }];
  }
  return [];
}

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

/** The kind of code that a field's name asks for; undefined for other fields. */
function codedKindOf(field: Field): CodedKind | undefined {
  return codedFields.find(([names]) => names.test(field.words))?.[1];
}

const codedLabels: Partial<Record<CodedKind, RegExp>> = { iban: /iban/giu, bic: /bic|swift/giu };

/** The first code of a kind. An IBAN or BIC must follow its name, because other codes look similar. */
function codesOf(kind: CodedKind, field: Field, context: PageContext): Candidate[] {
  const code = codedValues[kind];
  const labels = codedLabels[kind];
  if (labels) {
    const found = labelledValues(patternLabels(labels, context), { kind: 'identifier', code }, context);
    const first = found.find((candidate) => !isDebited(candidate, context)) ?? found[0];
    return first ? [first] : kind === 'iban' ? unlabelledIbans(context) : [];
  }
  for (const line of context.lines) {
    const match = code.exec(line.text);
    const isOther = kind === 'vatId' && isOfBuyer(line.text.slice(0, match?.index)) !== isAboutBuyer(field);
    if (match && !isOther) return [textCandidate(match[0], line, 'form')];
  }
  return [];
}

/** An account from which the amount is taken is the buyer's. */
const debitedAccount = /(?:von|from|de|da) (?:ihrem|your|votre|vostro|su|tu) (?:konto|account|compte|conto|cuenta)/iu;

function isDebited({ line, written }: Candidate, { lines }: PageContext): boolean {
  const before = line.text.slice(0, line.text.indexOf(written));
  return debitedAccount.test(`${lines[line.index - 1]?.text ?? ''} ${before}`);
}

/** Whether the words before a code assign it to the buyer. */
function isOfBuyer(before: string): boolean {
  return /(?<!\p{L})(?:your|ihre|votre|vostra?|uw|su|customer|client|buyer|kunden?|käufer)(?!\p{L})/iu.test(before);
}

function unlabelledIbans(context: PageContext): Candidate[] {
  for (const line of context.lines) {
    for (const [written] of line.text.matchAll(new RegExp(codedValues.iban.source, 'gu'))) {
      if (isIban(written)) return [textCandidate(written, line, 'form')];
    }
  }
  return [];
}

interface Clause {
  /** Field names for this value, as folded words. */
  field: RegExp;
  pattern: RegExp;
}

const name = String.raw`(?<value>\p{Lu}[^,;("“]{2,60}?(?:, (?:Inc|LLC|Ltd|Corp|L\.?P)\b\.?)?)`;
const endOfName = String.raw`(?=\s*(?:,|;|\(|["“]|\s+and\s+\p{Lu}|\.\s|$))`;

/** Values that contracts have in sentences and not beside labels. */
const clauses: readonly Clause[] = [
  {
    field: /^(?:first party|party (?:1|one|a)|client|party 1 name)$/u,
    pattern: new RegExp(String.raw`\b(?:by and between|between|by and among)\s*:?\s+${name}${endOfName}`, 'u'),
  },
  {
    field: /^(?:second party|party (?:2|two|b)|contractor|consultant|provider|party 2 name)$/u,
    pattern: new RegExp(String.raw`\b(?:between|among)\b[\s\S]{5,400}?[,)”"]?\s+and\s+${name}${endOfName}`, 'u'),
  },
  {
    field: /^(?:governing|applicable) (?:law|state)$|^jurisdiction$/u,
    pattern:
      /\blaws? of\s+(?:the\s+)?(?:(?:State|Commonwealth|Province|Republic) of\s+)?(?:the\s+)?(?<value>\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+){0,2})/u,
  },
];

const titleWords =
  /agreement|contract|amendment|addendum|statement of work|terms|lease|deed|vertrag|contrat|convenzione|contrato/iu;

/** The value of a field from the sentences of a contract. */
function clauseValues(words: string, context: PageContext): Candidate[] {
  if (/^(?:title|contract title|document title|agreement title)$/u.test(words)) return contractTitles(context);
  const clause = clauses.find(({ field }) => field.test(words));
  const match = clause?.pattern.exec(context.text.replaceAll(/\s+/gu, ' '));
  const value = match?.groups?.value?.trim();
  if (value === undefined) return [];
  const [first = value] = value.split(' ');
  const line =
    context.lines.find(({ text }) => text.includes(value)) ?? context.lines.find(({ text }) => text.includes(first));
  return line ? [textCandidate(value, line, 'sentence')] : [];
}

/** The first line that names a kind of contract, otherwise the first line of the document. */
function contractTitles(context: PageContext): Candidate[] {
  const filled = context.lines.filter((line) => line.cells.length > 0).slice(0, 12);
  const isTitle = (text: string) =>
    text.length <= 80 && !/[.,:;]$/u.test(text) && /^[\p{Lu}\d][^:]*\p{L}{3}/u.test(text) && !/\bpage \d/iu.test(text);
  const line =
    filled.find(({ text }) => titleWords.test(text) && isTitle(text.trim())) ??
    filled.find(({ text }) => isTitle(text.trim()));
  const value = line?.text.trim().replaceAll(/\s+/gu, ' ');
  return line && value !== undefined ? [textCandidate(value, line, 'sentence')] : [];
}

/** The currency of the document, with the first line that has its mark. */
function documentCurrency(context: PageContext): Candidate[] {
  const { currency } = context;
  if (currency === null) return [];
  const signs: Readonly<Record<string, RegExp>> = { EUR: /€|EUR/u, USD: /\$|USD/u, GBP: /£|GBP/u, MYR: /RM|MYR/u };
  const mark = signs[currency] ?? new RegExp(currency, 'u');
  const line = context.lines.find(({ text }) => mark.test(text));
  return line ? [textCandidate(currency, line, 'form')] : [];
}

/** The number of lines at the top that can contain an unlabelled phone number. */
const letterheadLines = 8;

/** The number of an extension. */
const wholeNumber = /^\d{3,12}$/u;

const plainPhone = /^(?:tele)?phone(?: number| no)?$/u;

/** A phone or fax number: beside its name, otherwise on a line that names a phone, otherwise in the letterhead. */
function phones(field: Field, context: PageContext): Candidate[] {
  const named = captionedValues({ ...field, kind: 'text' }, context).flatMap((candidate): Candidate[] => {
    const [written] = codedValues.phone.exec(candidate.written) ?? wholeNumber.exec(candidate.written) ?? [];
    return written === undefined ? [] : [{ ...candidate, value: written, written }];
  });
  if (named.length > 0) return named;
  const isFax = /fax|facsimile|telecop/u.test(field.ownWords);
  // `Phone 555 0100` is the value of `phone` and not of `work_phone`, when the schema has both.
  const isQualified = !isFax && !plainPhone.test(field.ownWords);
  if (isQualified && context.fieldNames.some((name) => plainPhone.test(name))) return [];
  const label = isFax ? /fax|facsimile|telecop/iu : /(?:tel|phone|fon|mobile|call)\b/iu;
  for (const line of context.lines) {
    const at = line.text.search(label);
    const [written] = at === -1 ? [] : (codedValues.phone.exec(line.text.slice(at)) ?? []);
    if (written !== undefined) return [textCandidate(written, line, 'form')];
  }
  const head = context.lines.filter((line) => line.cells.length > 0).slice(0, letterheadLines);
  for (const line of isFax ? [] : head) {
    const [written] = /(?:\+\d{1,3} |\(\d{2,5}\) ?)[\d ./-]{6,}\d|^\s*\d{3}-\d{3}-\d{4}\s*$/u.exec(line.text) ?? [];
    if (written !== undefined) return [textCandidate(written.trim(), line, 'form')];
  }
  return [];
}

const sellerWords =
  /(?:^| )(?:seller|vendor|supplier|merchant|store|shop|issuer|sender|company|from|restaurant|provider|verkaufer|lieferant|fournisseur|vendeur|fornitore|leverancier|proveedor)(?: |$)/u;
const buyerWords =
  /(?:^| )(?:buyer|customer|client|recipient|bill(?:ed)? to|billing|purchaser|kaufer|kunde|destinataire|klant|cliente|rechnungsempfanger|acheteur)(?: |$)/u;

function isAboutBuyer(field: Field): boolean {
  return buyerWords.test(field.words);
}

/** The party of a field, and whether the field is its name or its address; undefined for other fields. */
function requestedParty(field: Field): { isBuyer: boolean; part: 'name' | 'address' } | undefined {
  // A field named only `address` is the address of the sender.
  if (field.words === 'address') return { isBuyer: false, part: 'address' };
  const isBuyer = isAboutBuyer(field);
  if (!isBuyer && !sellerWords.test(field.words)) return undefined;
  const rest = field.words.replace(isBuyer ? buyerWords : sellerWords, ' ').trim();
  if (rest === '' || /^(?:(?:company|full|business) )?(?:name|company)$/u.test(rest)) return { isBuyer, part: 'name' };
  return /^(?:(?:full|postal|street|billing|mailing) )?address$/u.test(rest) ? { isBuyer, part: 'address' } : undefined;
}

/** `Hill Supplies 12 Mill Road, Leeds` below a label: a name with the street beside it. */
function withoutStreet(candidate: Candidate): Candidate {
  const { written } = candidate;
  const street = Array.from(written.matchAll(/(?<=\p{L}.*)[\s,]+(?=\d)/gu)).find(({ index, 0: gap }) =>
    isStreet(written.slice(index + gap.length).split(',')[0]!),
  );
  if (!street) return candidate;
  const name = written.slice(0, street.index);
  return { ...candidate, value: name, written: name };
}

function partyValues(field: Field, { seller, buyer }: Parties): Candidate[] {
  const requested = requestedParty(field);
  const party: Party | null = requested?.isBuyer ? buyer : seller;
  const value = requested && party ? party[requested.part] : '';
  if (!party || value === '') return [];
  const source = party.isLabelled ? 'named_party' : 'placed_party';
  // A name alone at the top of a page can be its title.
  const fit = party.isConfirmed || party.address !== '' || hasLegalForm(party.name) ? 1 : 0.25;
  return [textCandidate(value, party.line, source, fit)];
}
