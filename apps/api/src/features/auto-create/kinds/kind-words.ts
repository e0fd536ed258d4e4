import { detectKind, kindNamed, openKinds, type DetectedKind } from '@docwright/language';

/** The features that identify the kind of a document: what a person would call it, its words and its heading. */
export interface KindFeatures {
  words: string[];
  /** The words of the first lines. */
  heading: string[];
  /** See `kindKeyNamed`. Absent if it is unclear. */
  kind?: string;
}

/** The features of a kind. Each count is the number of its documents that have the word. */
export interface KindWords {
  documents: number;
  words: Record<string, number>;
  heading: Record<string, number>;
  kinds: Record<string, number>;
}

const maxCharacters = 30_000;
const maxWords = 700;
const headingLines = 8;
const maxHeadingWords = 60;
const maxLine = 400;
const maxKinds = 20;

const word = /\p{L}[\p{L}\p{M}]+/gu;
const dense = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]{2,}/gu;

/**
 * The words of a document's text without case, accents and numbers: at most 700 words of the first 30,000 characters.
 *
 * @example
 * documentWords('INVOICE\nContoso Ltd').heading // ['invoice', 'contoso', 'ltd']
 */
export function documentWords(text: string): KindFeatures {
  const read = text.slice(0, maxCharacters);
  const lines = read.split('\n').filter((line) => line.trim() !== '');
  const first = lines
    .slice(0, headingLines)
    .map((line) => line.slice(0, maxLine))
    .join('\n');
  const kind = detectKind(read);
  return {
    words: distinct(wordsIn(read), maxWords),
    heading: distinct(wordsIn(first), maxHeadingWords),
    ...(kind === undefined ? {} : { kind: keyOf(kind) }),
  };
}

/**
 * The key of the kind that a name denotes: `invoice` for `Rechnung, Contoso 2`. Forms, certificates and reports are
 * distinguished by their titles: `form:membership application`. Undefined for names without a kind.
 *
 * @example
 * kindKeyNamed('Supplier invoice') // 'invoice'
 */
export function kindKeyNamed(name: string): string | undefined {
  const kind = kindNamed(name);
  return kind && keyOf({ kind, title: baseOfName(name) });
}

/** Whether all documents with the key are of one kind, also those of different issuers. */
export const isClosedKind = (key: string): boolean => !key.includes(':');

/** Words that name no kind: several kinds of documents have them, with a number behind. */
const bareName = /^(?:documents?|dokument|documento|tables?|tabelle|tableau|tabella|tabla|list|sheet|data|file|page)$/u;

/**
 * Equal for names of the same kind in any language, with or without an issuer or a number. Undefined for names such as `Form` and
 * `Document`, which documents of different kinds share.
 */
export function sameNameKey(name: string): string | undefined {
  const key = kindKeyNamed(name) ?? folded(baseOfName(name));
  return key.endsWith(':') || bareName.test(key) ? undefined : key;
}

/** The name of a kind without its issuer and number: `Invoice, Contoso 2` → `Invoice`. */
export function baseOfName(name: string): string {
  const at = name.indexOf(',');
  return (at === -1 ? name : name.slice(0, at)).replace(/\s+\d{1,3}$/u, '').trim() || name;
}

function keyOf({ kind, title = '' }: DetectedKind): string {
  if (!openKinds.has(kind)) return kind;
  const words = folded(title).match(word) ?? [];
  return `${kind}:${words.length > 1 ? words.join(' ') : ''}`;
}

export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}

function wordsIn(text: string): string[] {
  const pairs = (text.match(dense) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return [...(folded(text.replaceAll(dense, ' ')).match(word) ?? []), ...pairs];
}

const distinct = (values: string[], limit: number): string[] => [...new Set(values)].slice(0, limit);

export const noWords: KindWords = { documents: 0, words: {}, heading: {}, kinds: {} };

/** Adds a document to a kind. */
export function withDocument(kind: KindWords, document: KindFeatures): KindWords {
  return {
    documents: kind.documents + 1,
    words: addCounts(kind.words, document.words, 2 * maxWords),
    heading: addCounts(kind.heading, document.heading, 4 * maxHeadingWords),
    kinds: addCounts(kind.kinds, document.kind === undefined ? [] : [document.kind], maxKinds),
  };
}

function addCounts(counts: Record<string, number>, values: readonly string[], limit: number): Record<string, number> {
  const next = new Map(Object.entries(counts));
  for (const value of values) next.set(value, (next.get(value) ?? 0) + 1);
  // Drops the rarest words, which only single documents have.
  const frequent = [...next].toSorted(([, a], [, b]) => b - a).slice(0, limit);
  return Object.fromEntries(frequent);
}
