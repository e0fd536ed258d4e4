import { pageLines } from '../row-counting/page-lines.ts';
import type { Page } from '../page/page.ts';

/** A document that was found in a file of several. */
export interface ProposedPart {
  name: string;
  /** From and to, both included, counted from 1. */
  pages: [number, number][];
  /** The reason for its start. */
  reason: string;
  /** That a document begins there, 0 to 1. */
  probability: number;
}

/** The features of a page that decide whether a document starts on it, without its words. */
interface PageLook {
  page_num: number;
  /** Its own number and the count that it says the document has. */
  numbering: { page: number; of?: number } | undefined;
  /** Lines of the upper part, folded, without figures. */
  top: Set<string>;
  /** All words, for the likeness of two pages. */
  words: Set<string>;
  /** Numbers of documents and customers, as they are labelled. */
  ids: Set<string>;
  /** Date and time if the page has exactly one, as on a receipt; a list of calls or bookings has many. */
  timestamp: string | undefined;
  title: string | undefined;
  isEmpty: boolean;
  width: number;
  height: number;
  /** The lower end of its text, 0 to 1. */
  filled: number;
}

const pageNumber =
  /\b(?:page|seite|pagina|página|pag\.?|blatt|sheet)[\s:]*(\d{1,4})(?:\s*(?:\/|of|von|de|sur|di|van)\s*(\d{1,4}))?/iu;
const bareNumbering = /^[-–\s]*(\d{1,3})\s*(?:\/|of|von|de|sur|di|van)\s*(\d{1,3})[-–\s]*$/iu;
const titleWords =
  /(?:^|\s)(\p{L}*(?:invoice|rechnung|facture|factuur|fattura|factura|receipt|quittung|beleg|re[cç]u|credit note|gutschrift|statement|kontoauszug|contract|vertrag|agreement|order|bestellung|delivery note|lieferschein|offer|angebot|quote|letter|report|certificate|application|form|lohnsteuer|w-?2|1040|1099))\b/iu;
const idLabel =
  /\b(?:invoice|rechnungs?|facture|factuur|document|beleg|order|kunden|customer|account|konto|re|no|nr|number|nummer|n°)[\w.]*\s*(?:no|nr|number|nummer|n°|#|id)?[.:#\s]*([A-Z]{0,5}[-/]?\d[\dA-Z/-]{3,})/giu;
const BOUNDARY = 0.5;
/** With fewer words, a difference can be chance. */
const FEWEST_WORDS = 25;
const TITLE_LENGTH = 40;

/**
 * Finds where documents begin in a file of several: from page numbering that starts again, letterheads that come again or
 * change, titles, and numbers of documents. Pages are added one by one; nothing but what tells is kept.
 */
export function createSplitProposer(): { add(page: Page): void; propose(name: string): ProposedPart[] } {
  const looks: PageLook[] = [];
  return {
    add: (page) => void looks.push(lookOf(page)),
    propose(name) {
      const begins = looks.map((look, index) => (index === 0 ? first : beginningAt(looks[index - 1]!, look)));
      const parts: ProposedPart[] = [];
      for (const [index, look] of looks.entries()) {
        const { probability, reason } = begins[index]!;
        const open = parts.at(-1);
        if (open && probability < BOUNDARY) open.pages[0]![1] = look.page_num;
        else {
          const title = look.title ?? name;
          parts.push({ name: title, pages: [[look.page_num, look.page_num]], reason, probability });
        }
      }
      return parts.map((part, index) => ({ ...part, name: parts.length === 1 ? name : `${part.name} (${index + 1})` }));
    },
  };
}

const first = { probability: 1, reason: 'The file begins here.' };

function beginningAt(before: PageLook, look: PageLook): { probability: number; reason: string } {
  const { numbering } = look;
  if (numbering && numbering.page > 1 && before.numbering && numbering.page === before.numbering.page + 1) {
    return { probability: 0.03, reason: 'The page numbers go on.' };
  }
  // Evidence for and against as log-odds; weights are set by hand, and measured on concatenated documents.
  let odds = -0.4;
  const reasons: [number, string][] = [];
  const add = (weight: number, reason: string): void => {
    odds += weight;
    if (weight > 0) reasons.push([weight, reason]);
  };
  if (numbering?.page === 1) add(4, 'The page numbers start again.');
  else if (numbering) add(-2.5, '');
  if (before.numbering?.of !== undefined && before.numbering.page === before.numbering.of) {
    add(3, 'The document before is complete by its page numbers.');
  } else if (before.numbering?.of !== undefined && before.numbering.page < before.numbering.of) add(-2.5, '');
  const shared = overlap(before.ids, look.ids);
  if (before.ids.size > 0 && look.ids.size > 0) {
    if (shared > 0) add(-2, '');
    else add(1.2, 'Other numbers stand on it.');
  }
  if (look.timestamp !== undefined) {
    if (before.timestamp === undefined) add(0.6, 'It has a date and time of its own.');
    else if (before.timestamp === look.timestamp) add(-2, '');
    else add(1.4, 'Another date and time stand on it.');
  }
  const top = likeness(before.top, look.top);
  const words = likeness(before.words, look.words);
  const isShort = Math.min(before.words.size, look.words.size) < FEWEST_WORDS;
  if (isShort) add(-0.4, '');
  else if (words < 0.08) add(1.6, 'It has hardly a word in common with the page before.');
  else if (words < 0.2) add(0.6, 'It has few words in common with the page before.');
  if (top < 0.1) add(0.4, 'Its letterhead differs.');
  if (look.title !== undefined) {
    if (look.title === before.title && top > 0.5)
      add(shared > 0 ? 0 : 1.2, 'The same letterhead and title come again.');
    else add(1.4, `It has a title: ${look.title}.`);
  } else add(-0.6, '');
  if (Math.abs(before.width - look.width) > 8 || Math.abs(before.height - look.height) > 8) {
    add(1.3, 'The page has another size.');
  }
  // Generators give pages sizes of their own, to the hundredth of a point.
  else if (isOwnSize(look) && Math.abs(before.width - look.width) + Math.abs(before.height - look.height) < 0.02) {
    add(-1.2, '');
  }
  if (before.filled > 0.85) add(-0.7, '');
  else if (before.filled < 0.7) add(0.6, 'The page before ends early.');
  if (look.isEmpty) add(-2, '');
  const probability = Math.round((1 / (1 + Math.exp(-odds))) * 100) / 100;
  const [strongest] = reasons.sort(([one], [other]) => other - one);
  return { probability, reason: strongest?.[1] ?? 'It looks like a continuation.' };
}

/** None of A4 and letter. */
function isOwnSize({ width, height }: PageLook): boolean {
  return ![595, 595.28, 595.2, 595.32, 612, 842].some(
    (usual) => Math.abs(usual - width) < 0.05 || Math.abs(usual - height) < 0.05,
  );
}

function lookOf(page: Page): PageLook {
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

/** A title is alone on its line or before a number; a word within a sentence is not a title. */
function isTitle(text: string): boolean {
  const found = titleWords.exec(text);
  if (!found) return false;
  const after = text.slice(found.index + found[0].length).trim();
  return (
    found.index < TITLE_LENGTH / 2 &&
    (text.length < TITLE_LENGTH || /^(?:no|nr|number|nummer|n°|#|:)?[.:\s]*[A-Z]*[-/]?\d/iu.test(after))
  );
}

/** A day with a time after it: `09/03/2018 21:26`, `29.06.2018, 8:26:57`, `2024-05-01 09:05`. */
const dayAndTime =
  /\b(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})[\s,T]+(?:(?:at|um|à|a las|alle)\s+)?(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)\b/giu;

function timestampOf(texts: readonly string[]): string | undefined {
  const found = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(dayAndTime), ([, day, time]) => `${day} ${time}`)),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** At the head or foot of a page; in its middle, "page 2 of 3" speaks of something else. */
function numberingOf(texts: readonly string[]): PageLook['numbering'] {
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

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.size === 0 || other.size === 0 ? 0 : overlap(one, other) / Math.min(one.size, other.size);
}
