import { documentWords, folded, type DocumentWords, type KindWords } from './kind-words.ts';

/** A kind to compare a document with. */
interface KnownKind {
  name: string;
  /** Names and titles of its fields. */
  fields: readonly string[];
  /** Absent if the kind has no known document. */
  words?: KindWords;
}

/** From this fit on, a kind is offered to the agent. */
export const minFit = 0.55;
/** From this likeness on, a document waits for another one that might be of the same kind. */
export const minLikeness = 0.4;

/** A prompt with fewer fields describes its documents too little. */
const minFields = 3;
const minFieldShare = 0.7;

/**
 * How well a document fits a kind, from 0 to 1: by the words that the kind's documents share and by their headings. 0 if
 * another company issued the document. A kind without documents is compared by the words of its fields only.
 *
 * @example
 * fitOf(documentWords(text), { name: 'Invoice, Contoso', fields: ['total'], words }) // 0.83
 */
export function fitOf(document: DocumentWords, kind: KnownKind): number {
  if (!namesIssuer(document, kind.name)) return 0;
  if (kind.words === undefined || kind.words.documents === 0) return fitOfFields(document, kind.fields);
  return likeness(document, kind.words);
}

/** How similar a document is to those of a kind, from 0 to 1, without comparing names. */
export function likeness(document: DocumentWords, kind: KindWords): number {
  if (contradicts(document.marks, kind)) return 0;
  const body = overlap(document.words, common(kind.words, kind.documents), 20);
  const heading = overlap(document.heading, common(kind.heading, kind.documents), 4);
  return heading < minHeading ? Math.min(body, minLikeness - 0.01) * heading : 0.6 * body + 0.4 * heading;
}

/** Documents with other headings are of another kind, however similar the rest is. */
const minHeading = 0.34;

/** The values that at least half of the documents have. */
function common(counts: Record<string, number>, documents: number): Set<string> {
  const minCount = Math.max(1, documents / 2);
  return new Set(Object.entries(counts).flatMap(([value, count]) => (count >= minCount ? [value] : [])));
}

/** The share of the smaller set that is in the other one. The smaller set counts as at least `minSize` values. */
function overlap(values: readonly string[], others: ReadonlySet<string>, minSize: number): number {
  const shared = values.filter((value) => others.has(value)).length;
  return Math.min(1, shared / Math.max(minSize, Math.min(values.length, others.size)));
}

/** Whether the document has company marks, but none of those that all documents of the kind have. */
function contradicts(marks: readonly string[], { marks: counts, documents }: KindWords): boolean {
  const always = Object.entries(counts).flatMap(([mark, count]) => (count === documents ? [mark] : []));
  if (always.length === 0 || marks.length === 0) return false;
  return !always.some((mark) => marks.includes(mark));
}

/** The issuer in the name of a kind: `Invoice, Contoso 2` → `Contoso`. Undefined without a comma. */
export function issuerOf(name: string): string | undefined {
  const at = name.indexOf(',');
  const issuer = at === -1 ? '' : name.slice(at + 1).replace(/\s+\d{1,3}$/u, '');
  return issuer.trim() === '' ? undefined : issuer.trim();
}

/** The name of a kind without its issuer and number: `Invoice, Contoso 2` → `Invoice`. */
export function kindOf(name: string): string {
  const at = name.indexOf(',');
  return (at === -1 ? name : name.slice(0, at)).replace(/\s+\d{1,3}$/u, '').trim() || name;
}

const companyForms = new Set(
  'ltd limited inc llc llp plc corp corporation company co gmbh ag kg ohg ug se sa sarl sas srl spa bv nv oy ab as aps the and und et'.split(
    ' ',
  ),
);

function namesIssuer(document: DocumentWords, name: string): boolean {
  const issuer = issuerOf(name);
  if (issuer === undefined) return true;
  const words = documentWords(issuer).words.filter((word) => !companyForms.has(word));
  return words.every((word) => document.words.includes(word));
}

function fitOfFields(document: DocumentWords, fields: readonly string[]): number {
  if (fields.length < minFields) return 0;
  const has = new Set(document.words);
  const found = fields.filter((field) => {
    const words = folded(field.replaceAll(/[_\d]+/gu, ' ')).match(/\p{L}{3,}/gu) ?? [];
    return words.length > 0 && words.every((word) => has.has(word));
  });
  const share = found.length / fields.length;
  return found.length >= minFields && share >= minFieldShare ? share : 0;
}
