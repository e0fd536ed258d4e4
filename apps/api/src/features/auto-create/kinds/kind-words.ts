/** What a document is recognised by: its words, how it begins, and what names companies without doubt. */
export interface DocumentWords {
  words: string[];
  /** Of the first lines, where kind and issuer stand. */
  heading: string[];
  /** Domains, VAT IDs and IBANs. */
  marks: string[];
}

/** What the documents of one kind have in common. A count says in how many of them a word stands. */
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
/** Addresses at these say nothing of a company. */
const sharedHosts = /^(?:gmail|googlemail|outlook|hotmail|yahoo|icloud|gmx|web|mail|proton(?:mail)?|aol)\./u;

/**
 * The words of a document's text, without case, accents and numbers. Bounded: 30,000 characters are read, 700 words kept.
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

const distinct = (values: string[], most: number): string[] => [...new Set(values)].slice(0, most);

export const noWords: KindWords = { documents: 0, words: {}, heading: {}, marks: {} };

/** The kind with one more document in it. */
export function withDocument(kind: KindWords, document: DocumentWords): KindWords {
  return {
    documents: kind.documents + 1,
    words: counted(kind.words, document.words, 2 * maxWords),
    heading: counted(kind.heading, document.heading, 4 * maxHeadingWords),
    marks: counted(kind.marks, document.marks, 4 * maxMarks),
  };
}

function counted(counts: Record<string, number>, values: readonly string[], most: number): Record<string, number> {
  const next = new Map(Object.entries(counts));
  for (const value of values) next.set(value, (next.get(value) ?? 0) + 1);
  // The rarest words go first: they are of one document alone.
  const kept = [...next].toSorted(([, one], [, other]) => other - one).slice(0, most);
  return Object.fromEntries(kept);
}
