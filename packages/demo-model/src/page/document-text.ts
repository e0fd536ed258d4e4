import { layoutLines, type Line } from './layout.ts';

export interface DocumentText {
  name: string;
  /** Number of pages the document has, which may be more than were sent. */
  pageCount: number;
  lines: Line[];
}

const opening = /^<document name="([^"\n]*)" pages="(\d+)">$/gmu;

/**
 * The document that a message carries between `<document …>` and `</document>`, or undefined where there is none.
 * Text inside a block has its own markers defused, so the first closing marker after an opening one is the end.
 * `which` decides between several: a system prompt's own block stands first, in an extraction request it stands last.
 */
export function readDocument(message: string, which: 'first' | 'last'): DocumentText | undefined {
  const openings = [...message.matchAll(opening)];
  const chosen = which === 'first' ? openings[0] : openings.at(-1);
  if (!chosen) return undefined;
  const start = chosen.index + chosen[0].length;
  const end = message.indexOf('</document>', start);
  const block = message.slice(start, end === -1 ? undefined : end);

  const lines: Line[] = [];
  for (const page of block.matchAll(/<page number="(\d+)">\n?([\s\S]*?)(?:\n?<\/page>|$)/gu)) {
    const text = (page[2] ?? '').replace(/\n\[cut: \d+ more characters\]\s*$/u, '');
    lines.push(...layoutLines(text, Number(page[1]), lines.length));
  }
  return { name: chosen[1] ?? '', pageCount: Number(chosen[2]), lines };
}

/** Whether anything could be read on the pages. */
export function hasText(document: DocumentText): boolean {
  return document.lines.some((line) => line.cells.length > 0);
}
