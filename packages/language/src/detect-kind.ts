import { type DocumentKind, localNameOfKind } from './kind-names.ts';
import type { KindLabels } from './labels.ts';
import { paperLabels } from './paper-labels.ts';
import { tradeLabels } from './trade-labels.ts';
import { foldText } from './words.ts';

const all = { ...tradeLabels, ...paperLabels };

const kindLabels: Readonly<Record<DocumentKind, KindLabels>> = all;

/**
 * Kinds whose documents share only their word. Their titles distinguish them. All documents of another kind share
 * their fields.
 */
export const openKinds: ReadonlySet<DocumentKind> = new Set(['form', 'certificate', 'report']);

/** Kinds whose documents begin with their word and a number: `Invoice No. 7`. Of others this is a mention. */
const numberedKinds: ReadonlySet<DocumentKind> = new Set([
  'invoice',
  'credit_note',
  'receipt',
  'quote',
  'purchase_order',
  'order_confirmation',
  'delivery_note',
]);

/** The kind of a document, and what it is called if its kind has no fixed name. */
export interface DetectedKind {
  kind: DocumentKind;
  /** The document's own title, such as `Membership application form`. Only for kinds that are distinguished by it. */
  title?: string;
}

const maxCharacters = 20_000;
const maxTitleCells = 40;
/** Titles are short; longer cells are sentences that mention a kind. */
const maxTitleWords = 8;
const maxTitleLength = 70;
const minScore = 4;
/** The share of a title that the name of the kind is. */
const minTitleShare = 0.6;
const bareTitle = 6;
const minLead = 1;
const maxWordScore = 8;

/** The parts of a line that columns of spaces separate. */
const columns = /\s{3,}|\t/u;

/**
 * What a person would call a document, by its title and the phrases on its first pages. Undefined if no kind is clear.
 *
 * @example
 * ```ts
 * import { detectKind } from './detect-kind.ts';
 *
 * console.log(detectKind('Contoso Ltd\nINVOICE\nInvoice number: 7\nAmount due: 12.00')); // { kind: 'invoice' }
 * ```
 */
export function detectKind(text: string): DetectedKind | undefined {
  const read = text.slice(0, maxCharacters);
  const element = rootElement.exec(read)?.groups?.['name'];
  if (element !== undefined) return kindOfElement(element, read);
  const lines = read.split('\n').filter((line) => line.trim() !== '');
  const cells = lines.flatMap((line) => line.trim().split(columns)).slice(0, maxTitleCells);
  const head = cells.filter((cell) => cell.length <= maxTitleLength).map(titleCell);
  const folded = foldText(read).replaceAll(/[^\S\n]+/gu, ' ');
  const scores = labels.map((label) => ({ label, score: titleScore(head, label) + wordScore(folded, label) }));
  const receipt = scores.find(({ label }) => label.kind === 'receipt');
  if (receipt && receipt.score >= minTillScore && isTillRoll(lines)) receipt.score += tillRollScore;
  const email = scores.find(({ label }) => label.kind === 'email');
  if (email) email.score += mailHeader(lines);
  const [best, next] = scores.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score < minScore || best.score - (next?.score ?? 0) < minLead) return undefined;
  const { kind } = best.label;
  if (!openKinds.has(kind)) return { kind };
  const title = titleOf(head, best.label);
  return title === undefined ? { kind } : { kind, title };
}

/**
 * The kind that a name denotes, in any language: the last one of several, as in `Invoice reminder`. A part after a
 * comma (an issuer) and a number at the end are ignored. Undefined for names without a kind.
 *
 * @example
 * ```ts
 * import { kindNamed } from './detect-kind.ts';
 *
 * console.log(kindNamed('Rechnung, Contoso 2'), kindNamed('Supplier invoice')); // invoice invoice
 * ```
 */
export function kindNamed(name: string): DocumentKind | undefined {
  const [kind = ''] = name.split(',');
  const folded = foldText(kind.slice(0, maxTitleLength))
    .replaceAll(/[\s_\-–—.]+/gu, ' ')
    .trim();
  const found = labels.flatMap(({ kind: of, anywhere }) =>
    [...folded.matchAll(anywhere)].map((match) => ({
      of,
      end: match.index + match[0].length,
      length: match[0].length,
    })),
  );
  return found.toSorted((a, b) => b.end - a.end || b.length - a.length)[0]?.of;
}

/** A caption with its value, such as `Form: name`, or a caption alone. */
const isCaption = /:\s*(?:\S|$)/u;

const fixedNames: Partial<Record<DocumentKind, string>> = {
  account_statement: 'Customer statement',
  email: 'E-mail',
  lab_report: 'Laboratory report',
  resume: 'Résumé',
};

/**
 * A kind as a person would call it: its title if it has one, otherwise its name in the person's language, or in English.
 *
 * @example
 * ```ts
 * import { nameOfKind } from './detect-kind.ts';
 *
 * console.log(nameOfKind({ kind: 'bank_statement' }), nameOfKind({ kind: 'invoice' }, 'de-AT')); // Bank statement Rechnung
 * ```
 */
export function nameOfKind({ kind, title }: DetectedKind, language = 'en'): string {
  const words = kind.replaceAll('_', ' ');
  return (
    title ?? localNameOfKind(kind, language) ?? fixedNames[kind] ?? words.slice(0, 1).toUpperCase() + words.slice(1)
  );
}

interface TitleCell {
  text: string;
  folded: string;
  letters: number;
  words: number;
}

function titleCell(text: string): TitleCell {
  const trimmed = text.trim();
  const folded = foldText(trimmed).replaceAll(/[\s_\-–—]+/gu, ' ');
  const words = folded.match(/\p{L}+/gu) ?? [];
  return { text: trimmed, folded, letters: words.join('').length, words: words.length };
}

interface CompiledLabels {
  kind: DocumentKind;
  anywhere: RegExp;
  words: RegExp;
  strong: RegExp | undefined;
}

/** Endings of the plural, for names such as `Supplier invoices`. */
const plural = '(?:s|e|en|es|n)?';

const labels: readonly CompiledLabels[] = Object.entries(kindLabels).map(([kind, { names, words, strong }]) => ({
  kind: kind as DocumentKind,
  anywhere: phrases(names.map((name) => `(?:${name})${plural}`)),
  words: phrases(words),
  strong: strong && phrases(strong),
}));

/** Whole words only; a space in a phrase matches any run of spaces, points and hyphens. */
function phrases(sources: readonly string[]): RegExp {
  const all = sources
    .toSorted((a, b) => b.length - a.length)
    .map((source) =>
      source.replaceAll(' ?', String.raw`[ .\-]?`).replaceAll(/ (?![.\]])/gu, String.raw`[\s.\-_/°]{1,3}`),
    );
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${all.join('|')})(?![\p{L}])`, 'gu');
}

/** The most that one cell of the head says: a bare title more than the caption of a number. */
function titleScore(head: readonly TitleCell[], { kind, anywhere }: CompiledLabels): number {
  let most = 0;
  for (const { folded, letters, words } of head) {
    if (words > maxTitleWords) continue;
    for (const match of folded.matchAll(anywhere)) {
      const share = match[0].replaceAll(/[^\p{L}]/gu, '').length / Math.max(1, letters);
      const rest = folded.slice(match.index + match[0].length);
      const isTitle = share >= minTitleShare && !isCaption.test(folded) && !/\p{L}{3}/u.test(rest);
      most = Math.max(most, isTitle ? bareTitle : mentionScore(kind, folded, match));
    }
  }
  return most;
}

/** A cell that begins with a numbered kind has its number; of another kind, a cell that ends with its name may be a title. */
function mentionScore(kind: DocumentKind, cell: string, { index, 0: name }: RegExpExecArray): number {
  const isLast = index + name.length >= cell.length - 1;
  if (numberedKinds.has(kind)) return index === 0 || isLast ? 4 : 1;
  return isLast ? 2 : 1;
}

function wordScore(folded: string, { words, strong }: CompiledLabels): number {
  const distinct = (pattern: RegExp | undefined) =>
    pattern === undefined ? 0 : new Set([...folded.matchAll(pattern)].map(([match]) => match)).size;
  return Math.min(maxWordScore, distinct(words) + 2 * distinct(strong));
}

/** The first element of an XML file. */
const rootElement = /^\uFEFF?\s*(?:<[?!][^>]*>\s*)*<(?:[\w-]+:)?(?<name>[A-Z]\w{2,60})[\s>]/u;
/** The code of a credit note among invoices (UNTDID 1001). */
const creditCode = /TypeCode>\s*(?:381|261|262|296|308|396)\s*</u;

function kindOfElement(element: string, text: string): DetectedKind | undefined {
  const kind = kindNamed(element.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  return kind === undefined ? undefined : { kind: kind === 'invoice' && creditCode.test(text) ? 'credit_note' : kind };
}

const tillRollScore = 2;
const minTillScore = 3;
const maxTillWidth = 48;

/** Whether the lines are as narrow as the paper of a till. */
function isTillRoll(lines: readonly string[]): boolean {
  const narrow = lines.filter((line) => line.trim().length <= maxTillWidth).length;
  return lines.length >= 8 && lines.length <= 120 && narrow >= 0.9 * lines.length;
}

const headerLine =
  /^\s*(?:from|to|cc|subject|date|sent|von|an|betreff|gesendet|datum|de|a|objet|envoye|da|oggetto|inviato|para|asunto|enviado)\s*:/iu;
const maxHeaderLines = 8;

/** The lines `From:`, `To:`, `Subject:` at the beginning make an e-mail of any text. */
function mailHeader(lines: readonly string[]): number {
  const names = lines.slice(0, maxHeaderLines).flatMap((line) => headerLine.exec(foldText(line))?.[0].trim() ?? []);
  return new Set(names).size >= 3 ? 12 : 0;
}

/** The title of a document of an open kind: the first cell that is little more than a name of the kind. */
function titleOf(head: readonly TitleCell[], { anywhere }: CompiledLabels): string | undefined {
  for (const { text, folded, letters } of head) {
    for (const match of folded.matchAll(anywhere)) {
      const share = match[0].replaceAll(/[^\p{L}]/gu, '').length / Math.max(1, letters);
      if (share < minTitleShare || /\d{3}/u.test(text)) continue;
      const title = text
        .replaceAll(/[^\p{L}\p{M}\s'’\-/&]+/gu, ' ')
        .replaceAll(/\s+/gu, ' ')
        .trim();
      return inSentenceCase(title);
    }
  }
  return undefined;
}

function inSentenceCase(title: string): string {
  const lower = title === title.toUpperCase() ? title.toLowerCase() : title;
  return lower.slice(0, 1).toUpperCase() + lower.slice(1);
}
