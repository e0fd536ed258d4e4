/** A sentence, row or heading of an answer, in UTF-16 units; `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
  /** It leads a list or table: what it states rests on the rows below it. */
  leads?: number | undefined;
}

/** The marks `[[id]]` and `[[id, id]]`. */
export const citationMark = /\[\[([^[\]]{1,400})\]\]/gu;

/** The ids of a mark. */
export const idsOfMark = (inside: string): string[] =>
  inside
    .split(/[,;\s]+/u)
    .map((id) => id.trim())
    .filter((id) => id !== '');

/**
 * The ids that a text cites, each once, in the order of their first citation.
 *
 * @example
 * ```ts
 * import { citedIds } from '@docwright/claims';
 *
 * citedIds('500 EUR [[c1]] of 700 EUR [[a1, c1]].'); // ['c1', 'a1']
 * ```
 */
export const citedIds = (text: string): string[] => [
  ...new Set([...text.matchAll(citationMark)].flatMap(([, inside]) => idsOfMark(inside!))),
];

const abbreviations = new Set(
  (
    'approx ca no nr art inc ltd co corp st dr mr mrs ms prof bzw etc vs p pp abs ziff vgl num núm sr sra m mme av env max min ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mrz okt dez janv févr avr juil sept déc ene abr ago dic zzgl inkl exkl usw gem evtl ' +
    'incl excl tel fig sec para cl hr fr hnr mio mrd tsd bl eur'
  ).split(' '),
);
const months =
  /^(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|quartal|quarter|trimestre|trimester|halbjahr)/iu;

/** Whether a full stop at `at` ends a sentence. */
function endsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  const after = text.slice(at + 1).replace(/^[”"»“’)\]]*\s*/u, '');
  if (/^\p{Ll}/u.test(after)) return false;
  const word = /([\p{L}\p{N}]+)$/u.exec(before)?.[1] ?? '';
  if (/^\p{L}$/u.test(word)) return false;
  if (/^\d{1,2}$/u.test(word) && months.test(after)) return false;
  // “500 EUR. It is due.” are two sentences, “EUR. 500” is none.
  if (word.toLowerCase() === 'eur' && /\d\s*\p{L}+$/u.test(before) && /^\p{Lu}/u.test(after)) return true;
  return !abbreviations.has(word.toLowerCase());
}

/** Where the sentences of one line end. */
function* sentencesOfLine(text: string, from: number, to: number): Generator<Span> {
  const line = text.slice(from, to);
  let start = 0;
  for (const match of line.matchAll(/[.!?…]+[”"»“’)]*(?=\s|\[\[|$)/gu)) {
    if (match.index < start) continue;
    if (match[0].startsWith('.') && !match[0].startsWith('..') && !endsSentence(line, match.index)) continue;
    // A citation behind the full stop belongs to the sentence before it.
    const marks = /^(?:\s*\[\[[^[\]]{1,400}\]\])*/u.exec(line.slice(match.index + match[0].length));
    const end = match.index + match[0].length + (marks?.[0].length ?? 0);
    yield { from: from + start, to: from + end };
    start = end;
  }
  yield { from: from + start, to };
}

const isRule = (line: string): boolean => /^[\s|:*_=-]*$/u.test(line);
const isRow = (line: string): boolean => /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\|)/u.test(line);

/**
 * The sentences of an answer in Markdown, in order and without overlaps. A row of a table is one, a line without a full
 * stop too. A line that ends in a colon above a list, and the head of a table, name the rows that they lead.
 *
 * @example
 * ```ts
 * import { splitSentences } from './split-sentences.ts';
 *
 * const text = 'Nr. 5 is due. [[c1]] It is late.';
 * console.log(splitSentences(text).map(({ from, to }) => text.slice(from, to))); // ['Nr. 5 is due. [[c1]]', 'It is late.']
 * ```
 */
export function splitSentences(text: string): Span[] {
  const lines = [...text.matchAll(/[^\n]+/gu)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
  const spans: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const content = text.slice(line.from, line.to);
    if (isRule(content)) continue;
    const next = lines[at + 1];
    const isHead = content.trimStart().startsWith('|') && next !== undefined && isRule(text.slice(next.from, next.to));
    const isLead = isHead || (/:\s*\**\s*$/u.test(content) && next !== undefined);
    const found = content.trimStart().startsWith('|') ? [line] : [...sentencesOfLine(text, line.from, line.to)];
    for (const span of found) {
      const trimmed = trim(text, span);
      if (trimmed.from < trimmed.to) spans.push(trimmed);
    }
    const last = spans.at(-1);
    if (isLead && last !== undefined && last.from >= line.from) last.leads = endOfRows(text, lines, at);
  }
  return spans;
}

/** Where the list or table below a line ends; undefined without one. */
function endOfRows(text: string, lines: readonly Span[], at: number): number | undefined {
  let end: number | undefined;
  for (const line of lines.slice(at + 1)) {
    const content = text.slice(line.from, line.to);
    if (!isRow(content) && !isRule(content)) break;
    end = line.to;
  }
  return end;
}

function trim(text: string, { from, to }: Span): Span {
  const content = text.slice(from, to);
  const start = from + (content.length - content.trimStart().length);
  return { from: start, to: Math.max(start, to - (content.length - content.trimEnd().length)) };
}
