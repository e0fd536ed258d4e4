import type { Page, Word } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { OpenedDocument } from '../reader/document-reader.ts';

const pageWidth = 612;
const pageHeight = 792;
const margin = 36;
const characterWidth = 5.4;
const lineHeight = 11;
/** Number of characters on a line of a page of normal width. */
export const gridColumns = Math.floor((pageWidth - 2 * margin) / characterWidth);
const rowsPerPage = Math.floor((pageHeight - 2 * margin) / lineHeight);
/** A page with more characters ends early, so that a caller handles each page within a few milliseconds. */
const maxPageCharacters = 200_000;

/**
 * Builds pages for text without pages: lines in a fixed-width font, so that every word has coordinates. Lines longer
 * than `gridColumns` widen their page. A form feed at the start of a line starts a new page.
 */
export function gridDocument(lines: readonly string[], hiddenText = 0, unread: UnreadPart[] = []): OpenedDocument {
  const pages = pagesOfLines(lines);
  return { pageCount: pages.length, pages: gridPages(pages, hiddenText), unread };
}

/** One page, as wide and as long as its lines need. `rawAt` is the stored value of the cell that starts at a place. */
export function gridPage(
  lines: readonly string[],
  page_num: number,
  hidden_text: number,
  rawAt?: (row: number, column: number) => string | undefined,
): Page {
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0);
  return {
    page_num,
    width: Math.max(pageWidth, 2 * margin + longest * characterWidth),
    height: Math.max(pageHeight, 2 * margin + lines.length * lineHeight),
    text: lines.join('\n').trimEnd(),
    words: lines.flatMap((line, row) => lineWords(line, row, rawAt)),
    hidden_text,
    needs_ocr: false,
    read_by: 'text',
  };
}

/** The lines of each page of normal length. */
export function pagesOfLines(lines: readonly string[]): string[][] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return paginate(lines.slice(0, last + 1), rowsPerPage);
}

export function* gridPages(pages: readonly string[][], hiddenText: number): Generator<Page> {
  for (const [index, lines] of pages.entries()) yield gridPage(lines, index + 1, index === 0 ? hiddenText : 0);
}

/** Lines of each page. A page has at most `rows` lines, and fewer if they are very long. */
export function paginate(lines: readonly string[], rows = Infinity): string[][] {
  const pages: string[][] = [[]];
  let characters = 0;
  for (const line of lines) {
    const startsPage = line.startsWith('\f');
    const count = pages.at(-1)!.length;
    if (count > 0 && (startsPage || count === rows || characters + line.length > maxPageCharacters)) {
      pages.push([]);
      characters = 0;
    }
    pages.at(-1)!.push(startsPage ? line.slice(1) : line);
    characters += line.length;
  }
  return pages;
}

function lineWords(
  line: string,
  row: number,
  rawAt: (row: number, column: number) => string | undefined = () => undefined,
): Word[] {
  const y0 = margin + row * lineHeight;
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const raw = rawAt(row, index);
    return {
      text,
      x0: margin + index * characterWidth,
      y0,
      x1: margin + (index + text.length) * characterWidth,
      y1: y0 + lineHeight,
      ...(raw === undefined ? {} : { raw }),
    };
  });
}
