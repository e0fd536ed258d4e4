import { layoutLine, type Line } from './layout.ts';

export interface DocumentLines {
  name: string;
  lines: Line[];
  /** Whether the message has only the start of the text. */
  isCut: boolean;
}

export interface MessagePage {
  page: number;
  text: string;
}

const maxFirstLines = 1500;
const maxLastLines = 500;

const opening = /^<document name="([^"\n]*)" pages="\d+">$/gmu;
const cutMark = /\n\[cut: \d+ more characters\]\s*$/u;

/**
 * Reads the document between `<document …>` and `</document>` in a message; undefined when the message has none. Markers
 * in the document's text are escaped, so the first closing marker after an opening one ends the document. `which` chooses
 * one of several documents: a system prompt has its document first, an extraction request last.
 */
export function readDocument(message: string, which: 'first' | 'last'): DocumentLines | undefined {
  const openings = [...message.matchAll(opening)];
  const chosen = which === 'first' ? openings[0] : openings.at(-1);
  if (!chosen) return undefined;
  const start = chosen.index + chosen[0].length;
  const end = message.indexOf('</document>', start);
  const block = message.slice(start, end === -1 ? undefined : end);
  const pages = [...block.matchAll(/<page number="(\d+)">\n?([\s\S]*?)(?:\n?<\/page>|$)/gu)];
  const texts = pages.map(([, number, text = '']) => ({ page: Number(number), text: text.replace(cutMark, '') }));
  return { ...documentOf(chosen[1] ?? '', texts), isCut: pages.some(([, , text = '']) => cutMark.test(text)) };
}

/**
 * Builds a document from whole pages. Of a very long document it keeps only the first and last lines, which have most of
 * the values that the rules look for. This limits the reading time.
 */
export function documentOf(name: string, pages: readonly MessagePage[]): DocumentLines {
  const texts = pages.flatMap(({ page, text }) => text.split(/\r?\n|\f/u).map((line) => ({ page, line })));
  const selected =
    texts.length > maxFirstLines + maxLastLines
      ? [...texts.slice(0, maxFirstLines), ...texts.slice(-maxLastLines)]
      : texts;
  return { name, lines: selected.map(({ page, line }, index) => layoutLine(line, page, index)), isCut: false };
}

export const emptyDocument: DocumentLines = documentOf('', []);

/** Whether any page has text. */
export function hasText(document: DocumentLines): boolean {
  return document.lines.some((line) => line.cells.length > 0);
}
