import { z } from 'zod';
import { defineChunker, type Chunk } from '../definition/plugin.ts';
import { chunkSize, limitedOverlap } from './recursive.ts';
import { splitText } from './split-text.ts';

interface Section {
  start: number;
  heading: string | undefined;
}

export const heading = defineChunker({
  id: 'heading',
  name: 'By heading',
  description:
    'One chunk for each section, with its heading; longer sections are cut by size. Suits contracts, manuals and reports.',
  config: z.strictObject(chunkSize),
  chunk(pages, { max_characters, overlap }) {
    const chunks: Chunk[] = [];
    let current: string | undefined;
    for (const { page_num, text } of pages) {
      const sections: Section[] = [{ start: 0, heading: current }, ...headingsOf(text)];
      for (const [at, section] of sections.entries()) {
        current = section.heading;
        const range = { start: section.start, end: sections[at + 1]?.start ?? text.length };
        for (const { start, end } of splitText(text, range, max_characters, limitedOverlap(overlap, max_characters))) {
          const under = section.heading === undefined ? {} : { heading: section.heading };
          chunks.push({ page_num, start, end, text: text.slice(start, end), ...under });
        }
      }
    }
    return chunks;
  },
});

/** `# Title`, `2.1 Title`, `§ 5 Title`, `Article 3`, or a short line in capitals. */
const headingPattern =
  /^(#{1,6}\s+\S|(\d{1,2}\.){1,4}\d{0,2}\s+\p{Lu}|§\s*\d|(article|section|chapter|artikel|abschnitt|kapitel)\s+[\divx]+\b)/iu;
const maxHeadingLength = 100;

function headingsOf(text: string): Section[] {
  const found: Section[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const title = line.trim();
    if (title.length < 3 || title.length > maxHeadingLength || /[.,;]$/.test(title)) continue;
    const isCapitals = /\p{Lu}{3}/u.test(title) && !/\p{Ll}|\d| {2}/u.test(title);
    if (isCapitals || headingPattern.test(title)) found.push({ start: index, heading: title.replace(/^#+\s+/, '') });
  }
  return found;
}
