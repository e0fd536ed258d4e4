import type { OpenedDocument } from '../reader/document-reader.ts';
import type { Page, Word } from '../page/page.ts';

const PAGE_WIDTH = 612;
const PAGE_HEIGHT = 792;
const MARGIN = 36;
const CELL_WIDTH = 5.4;
const LINE_HEIGHT = 11;
/** Number of characters on a line of a page of normal width. */
export const GRID_COLUMNS = Math.floor((PAGE_WIDTH - 2 * MARGIN) / CELL_WIDTH);
const ROWS = Math.floor((PAGE_HEIGHT - 2 * MARGIN) / LINE_HEIGHT);
/** Wide rows: a page with more characters ends early, so that each page costs the reader's caller a few milliseconds. */
const PAGE_CHARACTERS = 200_000;

/**
 * Builds pages for text without pages: lines in a fixed-width font, so that every word has coordinates. Lines longer
 * than `GRID_COLUMNS` widen their page. A form feed at the start of a line starts a new page.
 */
export function gridDocument(lines: readonly string[], hiddenText = 0): OpenedDocument {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const chunks = paginate(lines.slice(0, last + 1), ROWS);
  return { pageCount: chunks.length, pages: gridPages(chunks, hiddenText) };
}

/** One page, as long as its lines need. */
export function gridPage(lines: readonly string[], page_num: number, hidden_text: number): Page {
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0);
  return {
    page_num,
    width: Math.max(PAGE_WIDTH, 2 * MARGIN + longest * CELL_WIDTH),
    height: Math.max(PAGE_HEIGHT, 2 * MARGIN + lines.length * LINE_HEIGHT),
    text: lines.join('\n').trimEnd(),
    words: lines.flatMap(lineWords),
    hidden_text,
    needs_ocr: false,
  };
}

function* gridPages(chunks: readonly string[][], hiddenText: number): Generator<Page> {
  for (const [index, chunk] of chunks.entries()) yield gridPage(chunk, index + 1, index === 0 ? hiddenText : 0);
}

/** Lines of each page. A page has at most `rows` lines, and fewer if they are very long. */
export function paginate(lines: readonly string[], rows = Infinity): string[][] {
  const chunks: string[][] = [[]];
  let characters = 0;
  for (const line of lines) {
    const startsPage = line.startsWith('\f');
    const count = chunks.at(-1)!.length;
    if (count > 0 && (startsPage || count === rows || characters + line.length > PAGE_CHARACTERS)) {
      chunks.push([]);
      characters = 0;
    }
    chunks.at(-1)!.push(startsPage ? line.slice(1) : line);
    characters += line.length;
  }
  return chunks;
}

function lineWords(line: string, row: number): Word[] {
  const y0 = MARGIN + row * LINE_HEIGHT;
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    x0: MARGIN + index * CELL_WIDTH,
    y0,
    x1: MARGIN + (index + text.length) * CELL_WIDTH,
    y1: y0 + LINE_HEIGHT,
  }));
}
