/** The features that identify the kind of a document: its words, its heading, and marks of companies. */
export interface DocumentWords {
  words: string[];
  /** The words of the first lines, which name kind and issuer. */
  heading: string[];
  /** Domains, VAT IDs and IBANs. */
  marks: string[];
}

/** The features of a kind. Each count is the number of its documents that have the word. */
export interface KindWords {
  documents: number;
  words: Record<string, number>;
  heading: Record<string, number>;
  marks: Record<string, number>;
}

const maxCharacters = 30_000;
const maxWords = 700;
const headingLines = 8;
const maxHeadingWords = 60;
const maxMarks = 40;
const maxLine = 400;

const word = /\p{L}[\p{L}\p{M}]+/gu;
const dense = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]{2,}/gu;
const marks =
  /[\w.+-]+@(?<mail>[\w-]+(?:\.[\w-]+)+)|(?:https?:\/\/|\bwww\.)(?<site>[\w-]+(?:\.[\w-]+)+)|\b(?<code>[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?|[A-Z]{2}[A-Z]?U?\d{8,12})\b/gu;
/** Mail hosts that do not identify a company. */
const sharedHosts = /^(?:gmail|googlemail|outlook|hotmail|yahoo|icloud|gmx|web|mail|proton(?:mail)?|aol)\./u;

/**
 * The words of a document's text without case, accents and numbers: at most 700 words of the first 30,000 characters.
 *
 * @example
 * documentWords('INVOICE\nContoso Ltd').heading // ['invoice', 'contoso', 'ltd']
 */
export function documentWords(text: string): DocumentWords {
  const read = text.slice(0, maxCharacters);
  const lines = read.split('\n').filter((line) => line.trim() !== '');
  const first = lines
    .slice(0, headingLines)
    .map((line) => line.slice(0, maxLine))
    .join('\n');
  return {
    words: distinct(wordsIn(read), maxWords),
    heading: distinct(wordsIn(first), maxHeadingWords),
    marks: distinct(marksIn(read), maxMarks),
  };
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

function marksIn(text: string): string[] {
  return [...text.matchAll(marks)].flatMap(({ groups = {} }) => {
    const host = (groups['mail'] ?? groups['site'])?.toLowerCase().replace(/^www\./u, '');
    if (host !== undefined) return sharedHosts.test(host) ? [] : [host];
    return groups['code'] === undefined ? [] : [groups['code'].replaceAll(' ', '')];
  });
}

const distinct = (values: string[], limit: number): string[] => [...new Set(values)].slice(0, limit);

export const noWords: KindWords = { documents: 0, words: {}, heading: {}, marks: {} };

/** Adds a document to a kind. */
export function withDocument(kind: KindWords, document: DocumentWords): KindWords {
  return {
    documents: kind.documents + 1,
    words: addCounts(kind.words, document.words, 2 * maxWords),
    heading: addCounts(kind.heading, document.heading, 4 * maxHeadingWords),
    marks: addCounts(kind.marks, document.marks, 4 * maxMarks),
  };
}

function addCounts(counts: Record<string, number>, values: readonly string[], limit: number): Record<string, number> {
  const next = new Map(Object.entries(counts));
  for (const value of values) next.set(value, (next.get(value) ?? 0) + 1);
  // Drops the rarest words, which only single documents have.
  const frequent = [...next].toSorted(([, a], [, b]) => b - a).slice(0, limit);
  return Object.fromEntries(frequent);
}
