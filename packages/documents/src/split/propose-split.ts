import type { Page } from '../page/page.ts';
import { pageLines } from '../row-counting/page-lines.ts';

/** A document in a file of several. */
export interface ProposedPart {
  name: string;
  /** Ranges of pages: first and last, both included, counted from 1. */
  pages: [number, number][];
  /** Why it starts there, as a sentence. */
  reason: string;
  /** That a document starts there, 0–1. */
  probability: number;
  /** The highest probability that another document starts on a later page of it, 0–1. */
  inner_probability: number;
}

/** The features of a page that decide whether a document starts on it. */
interface PageFeatures {
  page_num: number;
  /** The printed page number and page count. */
  numbering: { page: number; of?: number } | undefined;
  /** Its first lines, folded, without digits. */
  top: Set<string>;
  /** All words, to compare two pages. */
  words: Set<string>;
  /** Labelled numbers of documents and customers. */
  ids: Set<string>;
  /** The date with a time, if the page has exactly one, like a receipt. A list of calls or bookings has many. */
  timestamp: string | undefined;
  title: string | undefined;
  isEmpty: boolean;
  width: number;
  height: number;
  /** The lower end of its text as a share of the page, 0–1. */
  filled: number;
}

const pageNumber =
  /\b(?:page|seite|pagina|página|pag\.?|blatt|sheet)[\s:]*(\d{1,4})(?:\s*(?:\/|of|von|de|sur|di|van)\s*(\d{1,4}))?/iu;
const bareNumbering = /^[-–\s]*(\d{1,3})\s*(?:\/|of|von|de|sur|di|van)\s*(\d{1,3})[-–\s]*$/iu;
const titleWords =
  /(?:^|\s)(\p{L}*(?:invoice|rechnung|facture|factuur|fattura|factura|receipt|quittung|beleg|re[cç]u|credit note|gutschrift|statement|kontoauszug|contract|vertrag|agreement|order|bestellung|delivery note|lieferschein|offer|angebot|quote|letter|report|certificate|application|form|lohnsteuer|w-?2|1040|1099))\b/iu;
const idLabel =
  /\b(?:invoice|rechnungs?|facture|factuur|document|beleg|order|kunden|customer|account|konto|re|no|nr|number|nummer|n°)[\w.]*\s*(?:no|nr|number|nummer|n°|#|id)?[.:#\s]*([A-Z]{0,5}[-/]?\d[\dA-Z/-]{3,})/giu;
/** A document starts on a page with at least this probability. */
const minStartProbability = 0.5;
/** With fewer words, pages differ by chance. */
const minComparedWords = 25;
const maxTitleLength = 40;

/**
 * Finds where documents start in a file of several. Page numbers that start again, letterheads, titles, dates and numbers of
 * documents decide it. Pages are added one by one, in order, and their features alone are stored.
 *
 * @returns `add` takes the next page. `propose` returns the documents in order; `name` is that of the file, for parts without a
 * title.
 *
 * @example
 * ```ts
 * import type { Page } from '@docwright/documents';
 * import { createSplitProposer } from '@docwright/documents/long';
 *
 * declare const pages: Page[];
 * const proposer = createSplitProposer();
 * for (const page of pages) proposer.add(page);
 * console.log(proposer.propose('scans').map(({ name, pages: ranges }) => [name, ranges]));
 * ```
 */
export function createSplitProposer(): { add(page: Page): void; propose(name: string): ProposedPart[] } {
  const features: PageFeatures[] = [];
  return {
    add: (page) => void features.push(featuresOf(page)),
    propose(name) {
      const starts = amongSureStarts(
        features.map((page, index) => (index === 0 ? firstStart : startAt(features[index - 1]!, page))),
      );
      const parts: ProposedPart[] = [];
      for (const [index, page] of features.entries()) {
        const { probability, reason } = starts[index]!;
        const lastPart = parts.at(-1);
        if (lastPart && probability < minStartProbability) {
          lastPart.pages[0]![1] = page.page_num;
          lastPart.inner_probability = Math.max(lastPart.inner_probability, probability);
        } else {
          const title = page.title ?? name;
          parts.push({
            name: title,
            pages: [[page.page_num, page.page_num]],
            reason,
            probability,
            inner_probability: 0,
          });
        }
      }
      return parts.map((part, index) => ({ ...part, name: parts.length === 1 ? name : `${part.name} (${index + 1})` }));
    },
  };
}

/** Measured by `tests/bench/arrival.bench.ts`: none of 10,191 proposed starts from here on was wrong. */
const sureStart = 0.75;
/** Up to here 16 of 369 parts of several pages hid a start; above it, every second one. */
const sureContinuation = 0.14;

/**
 * Whether a file can be split as proposed without asking anybody: each start, and that nothing else starts, is sure.
 *
 * @example
 * ```ts
 * import { isSureSplit } from '@docwright/documents/long';
 *
 * const part = { name: 'Invoice', reason: '', pages: [[1, 1]] as [number, number][] };
 * console.log(isSureSplit([{ ...part, probability: 1, inner_probability: 0.45 }])); // false
 * ```
 */
export function isSureSplit(parts: readonly ProposedPart[]): boolean {
  return parts.every(
    ({ probability, inner_probability }) => probability >= sureStart && inner_probability <= sureContinuation,
  );
}

const firstStart = { probability: 1, reason: 'The file starts here.' };

/** The probability that a document starts on a page, and the strongest reason. */
function startAt(before: PageFeatures, page: PageFeatures): { probability: number; reason: string } {
  const { numbering } = page;
  if (numbering && numbering.page > 1 && before.numbering && numbering.page === before.numbering.page + 1) {
    return { probability: 0.03, reason: 'The page numbers continue.' };
  }
  // Evidence for and against as log-odds. The weights are set by hand and were measured on concatenated documents.
  let odds = -0.4;
  const reasons: [number, string][] = [];
  const add = (weight: number, reason: string): void => {
    odds += weight;
    if (weight > 0) reasons.push([weight, reason]);
  };
  if (numbering?.page === 1) add(4, 'The page numbers start again.');
  else if (numbering) add(-2.5, '');
  if (before.numbering?.of !== undefined && before.numbering.page === before.numbering.of) {
    add(3, 'The previous document is complete according to its page numbers.');
  } else if (before.numbering?.of !== undefined && before.numbering.page < before.numbering.of) add(-2.5, '');
  const shared = overlap(before.ids, page.ids);
  if (before.ids.size > 0 && page.ids.size > 0) {
    if (shared > 0) add(-2, '');
    else add(1.2, 'It has other document numbers.');
  }
  if (page.timestamp !== undefined) {
    if (before.timestamp === undefined) add(0.6, 'It has a date and time of its own.');
    else if (before.timestamp === page.timestamp) add(-2, '');
    else add(1.4, 'It has another date and time.');
  }
  const topSimilarity = similarity(before.top, page.top);
  const wordSimilarity = similarity(before.words, page.words);
  const isShort = Math.min(before.words.size, page.words.size) < minComparedWords;
  if (isShort) add(-0.4, '');
  else if (wordSimilarity < 0.08) add(1.6, 'It has almost no words in common with the previous page.');
  else if (wordSimilarity < 0.2) add(0.6, 'It has few words in common with the previous page.');
  if (topSimilarity < 0.1) add(0.4, 'Its letterhead differs.');
  if (page.title !== undefined) {
    if (page.title === before.title && topSimilarity > 0.5)
      add(shared > 0 ? 0 : 1.2, 'The letterhead and title are repeated.');
    else add(1.4, `It has a title: ${page.title}.`);
  } else add(-0.6, '');
  if (Math.abs(before.width - page.width) > 8 || Math.abs(before.height - page.height) > 8) {
    add(1.3, 'The page has another size.');
  }
  // A generator of documents has its own page size, exact to the hundredth of a point.
  else if (isUnusualSize(page) && Math.abs(before.width - page.width) + Math.abs(before.height - page.height) < 0.02) {
    add(-1.2, '');
  }
  if (before.filled > 0.85) add(-0.7, '');
  else if (before.filled < 0.7) add(0.6, 'The previous page ends early.');
  if (page.isEmpty) add(-2, '');
  const probability = Math.round((1 / (1 + Math.exp(-odds))) * 100) / 100;
  const [strongest] = reasons.sort(([one], [other]) => other - one);
  return { probability, reason: strongest?.[1] ?? 'It looks like a continuation.' };
}

/** With fewer sure starts, a file is no evidence about its other pages. */
const minSureStarts = 8;
/** The log-odds that the other starts of a file can add. */
const maxShift = 0.8;

/**
 * Documents that were scanned together have similar lengths: where most pages clearly start a document, an unclear page
 * is more likely to be a start too. It never becomes sure by that, so that a user still decides.
 */
function amongSureStarts<Start extends { probability: number }>(starts: readonly Start[]): Start[] {
  const sure = starts.slice(1).filter(({ probability }) => probability >= sureStart).length;
  const share = sure / Math.max(1, starts.length - 1);
  if (sure < minSureStarts || share <= 0.5) return [...starts];
  const shift = Math.min(maxShift, Math.log((sure + 1) / (starts.length - sure)));
  return starts.map((start) => {
    const { probability } = start;
    if (probability >= sureStart || probability <= 0) return start;
    const odds = Math.log(probability / (1 - probability)) + shift;
    const shifted = Math.round((1 / (1 + Math.exp(-odds))) * 100) / 100;
    return { ...start, probability: Math.min(shifted, sureStart - 0.01) };
  });
}

/** Whether a page has neither the size of A4 nor that of letter paper. */
function isUnusualSize({ width, height }: PageFeatures): boolean {
  return ![595, 595.28, 595.2, 595.32, 612, 842].some(
    (usual) => Math.abs(usual - width) < 0.05 || Math.abs(usual - height) < 0.05,
  );
}

function featuresOf(page: Page): PageFeatures {
  const { page_num, words, width, height } = page;
  const lines = pageLines(page);
  const heights = lines.map(({ y0, y1 }) => y1 - y0);
  const [start, end] = [lines[0]?.y0 ?? 0, lines.at(-1)?.y1 ?? 0];
  const texts = lines.map(({ cells }) => cells.map(({ text }) => text).join(' '));
  const upper = lines.flatMap(({ y0 }, index) => (y0 - start < (end - start) * 0.4 || index < 6 ? [index] : []));
  const title = upper
    .filter((index) => isTitle(texts[index]!))
    .toSorted((one, other) => heights[other]! - heights[one]!)
    .map((index) => titleWords.exec(texts[index]!)![1]!.toLowerCase())[0];
  return {
    page_num,
    numbering: numberingOf(texts),
    top: new Set(
      texts
        .slice(0, 6)
        .map(folded)
        .filter((text) => text.length > 3),
    ),
    words: new Set(words.map(({ text }) => folded(text)).filter((text) => text.length > 2)),
    ids: new Set(texts.flatMap((text) => Array.from(text.matchAll(idLabel), ([, id]) => id!.toUpperCase()))),
    timestamp: timestampOf(texts),
    title: title && title.charAt(0).toUpperCase() + title.slice(1),
    isEmpty: words.length === 0,
    width,
    height,
    filled: end / height,
  };
}

/** A title is alone on its line or before a number, unlike a word within a sentence. */
function isTitle(text: string): boolean {
  const found = titleWords.exec(text);
  if (!found) return false;
  const after = text.slice(found.index + found[0].length).trim();
  return (
    found.index < maxTitleLength / 2 &&
    (text.length < maxTitleLength || /^(?:no|nr|number|nummer|n°|#|:)?[.:\s]*[A-Z]*[-/]?\d/iu.test(after))
  );
}

/** A date with a time after it: `09/03/2018 21:26`, `29.06.2018, 8:26:57`, `2024-05-01 09:05`. */
const dayAndTime =
  /\b(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})[\s,T]+(?:(?:at|um|à|a las|alle)\s+)?(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)\b/giu;

function timestampOf(texts: readonly string[]): string | undefined {
  const found = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(dayAndTime), ([, day, time]) => `${day} ${time}`)),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** The page number at the top or bottom of a page. In its middle, "page 2 of 3" means another document. */
function numberingOf(texts: readonly string[]): PageFeatures['numbering'] {
  const edges = [...texts.slice(-4).toReversed(), ...texts.slice(0, 12)];
  for (const text of edges) {
    const [, page, of] = pageNumber.exec(text) ?? bareNumbering.exec(text) ?? [];
    if (page === undefined || Number(page) === 0) continue;
    if (of !== undefined && Number(of) < Number(page)) continue;
    return { page: Number(page), ...(of !== undefined && { of: Number(of) }) };
  }
  return undefined;
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const each of one) if (other.has(each)) count += 1;
  return count;
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.size === 0 || other.size === 0 ? 0 : overlap(one, other) / Math.min(one.size, other.size);
}
