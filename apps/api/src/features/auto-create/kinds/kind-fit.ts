import { documentWords, folded, type DocumentWords, type KindWords } from './kind-words.ts';

/** A kind that a document may be of. */
interface KnownKind {
  name: string;
  /** Names and titles of its fields. */
  fields: readonly string[];
  /** Absent where no document of it was seen. */
  words?: KindWords;
}

/** From here on a kind is offered to the agent, */
export const fitting = 0.55;
/** and a document waits for another that may be of its kind. */
export const alike = 0.4;

/** With fewer fields than this, a prompt says too little of its documents. */
const fewestFields = 3;
const fieldShare = 0.7;

/**
 * How well a document fits a kind, from 0 to 1: by the words that the kind's documents share and by how they begin. 0 where
 * another company issued it. A kind without documents is judged by its fields' words alone.
 *
 * @example
 * fitOf(documentWords(text), { name: 'Invoice, Contoso', fields: ['total'], words }) // 0.83
 */
export function fitOf(document: DocumentWords, kind: KnownKind): number {
  if (!namesIssuer(document, kind.name)) return 0;
  if (kind.words === undefined || kind.words.documents === 0) return fitOfFields(document, kind.fields);
  return likeness(document, kind.words);
}

/** The same without a name: how alike a document is to those of a kind. */
export function likeness(document: DocumentWords, kind: KindWords): number {
  if (contradicts(document.marks, kind)) return 0;
  const body = overlap(document.words, common(kind.words, kind.documents), 20);
  const heading = overlap(document.heading, common(kind.heading, kind.documents), 4);
  return heading < minHeading ? Math.min(body, alike - 0.01) * heading : 0.6 * body + 0.4 * heading;
}

/** Documents that begin otherwise are others, however alike they go on. */
const minHeading = 0.34;

/** Those that at least half of the documents have. */
function common(counts: Record<string, number>, documents: number): Set<string> {
  const least = Math.max(1, documents / 2);
  return new Set(Object.entries(counts).flatMap(([value, count]) => (count >= least ? [value] : [])));
}

/** The share of the smaller set that stands in the other. */
function overlap(values: readonly string[], others: ReadonlySet<string>, least: number): number {
  const shared = values.filter((value) => others.has(value)).length;
  return Math.min(1, shared / Math.max(least, Math.min(values.length, others.size)));
}

/** Both name companies, and every document of the kind has a mark that this one lacks, while it has only others. */
function contradicts(marks: readonly string[], { marks: counts, documents }: KindWords): boolean {
  const always = Object.entries(counts).flatMap(([mark, count]) => (count === documents ? [mark] : []));
  if (always.length === 0 || marks.length === 0) return false;
  return !always.some((mark) => marks.includes(mark));
}

/** `Invoice, Contoso 2` names Contoso; a name without a comma names nobody. */
export function issuerOf(name: string): string | undefined {
  const at = name.indexOf(',');
  const issuer = at === -1 ? '' : name.slice(at + 1).replace(/\s+\d{1,3}$/u, '');
  return issuer.trim() === '' ? undefined : issuer.trim();
}

/** What a kind is, without its issuer and number. */
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
  const words = documentWords(issuer).words.filter((each) => !companyForms.has(each));
  return words.every((each) => document.words.includes(each));
}

function fitOfFields(document: DocumentWords, fields: readonly string[]): number {
  if (fields.length < fewestFields) return 0;
  const has = new Set(document.words);
  const found = fields.filter((field) => {
    const words = folded(field.replaceAll(/[_\d]+/gu, ' ')).match(/\p{L}{3,}/gu) ?? [];
    return words.length > 0 && words.every((each) => has.has(each));
  });
  const share = found.length / fields.length;
  return found.length >= fewestFields && share >= fieldShare ? share : 0;
}
