import { expect, it } from 'vitest';
import { heading } from './heading.ts';
import { page } from './page.ts';
import { recursive } from './recursive.ts';
import { splitText } from './split-text.ts';

const sentence = (word: string) => `The ${word} stands in a sentence of its own, which ends here. `;
const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
const paragraphs = words.map((word, at) => sentence(word) + (at % 7 === 6 ? '\n\n' : '')).join('');
const pages = [
  { page_num: 1, text: paragraphs },
  { page_num: 2, text: '  \n' },
  { page_num: 3, text: 'Short page 😀' },
];

it.each([recursive, heading, page])(
  '$id limits the size of chunks, keeps their positions and loses no word',
  (chunker) => {
    const chunks = chunker.chunk(pages, { max_characters: 300 });
    for (const { page_num, start, end, text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(300);
      expect(text).toBe(text.trim());
      expect(pages.find((one) => one.page_num === page_num)?.text.slice(start, end)).toBe(text);
    }
    for (const word of words) expect(chunks.some(({ text }) => text.split(' ').includes(word))).toBe(true);
    expect(chunks.map(({ page_num }) => page_num)).not.toContain(2);
  },
);

it('cuts at the end of a sentence, overlaps chunks as configured, and never splits a surrogate pair', () => {
  const [first, second] = recursive.chunk(pages, { max_characters: 300, overlap: 70 });
  expect(first?.text).toMatch(/ends here\.$/);
  expect(second!.start).toBeLessThan(first!.end);
  expect(second?.text).toMatch(/^\w/);
  const faces = '😀'.repeat(100);
  const parts = splitText(faces, { start: 0, end: faces.length }, 51);
  expect(parts.map(({ start, end }) => faces.slice(start, end)).join('')).toBe(faces);
  for (const { start, end } of parts) expect((end - start) % 2).toBe(0);
});

it('carries the heading of a section over to the next page', () => {
  const text = 'Preamble of it all.\n\n2.1 Payment Terms\nNet 30 days.\n\nTERMINATION\nEither party may.';
  const chunks = heading.chunk(
    [
      { page_num: 1, text },
      { page_num: 2, text: 'at any time. 12.50 EUR\n# Notices\nIn writing.' },
    ],
    {},
  );
  expect(chunks.map((chunk) => [chunk.page_num, chunk.heading])).toEqual([
    [1, undefined],
    [1, '2.1 Payment Terms'],
    [1, 'TERMINATION'],
    [2, 'TERMINATION'],
    [2, 'Notices'],
  ]);
});

it('never cuts inside a line that fits, and counts a run of blanks once', () => {
  const rows = Array.from({ length: 40 }, (_, at) => `Item ${at}. Oak${' '.repeat(60)}${at}.00 EUR`);
  const text = rows.join('\n');
  const chunks = recursive.chunk([{ page_num: 1, text }], { max_characters: 120, overlap: 40 });
  for (const { text: piece } of chunks) {
    for (const line of piece.split('\n')) expect(rows).toContain(line);
    expect(piece.replaceAll(/ +/g, ' ').length).toBeLessThanOrEqual(120);
  }
  // Without the extra blanks, a row has about 23 of its 80 characters: five rows fit.
  expect(chunks[1]?.text.split('\n').length).toBeGreaterThanOrEqual(4);
  const chunkedRows = new Set(chunks.flatMap(({ text: piece }) => piece.split('\n')));
  expect([...chunkedRows].toSorted()).toEqual(rows.toSorted());
});

it('cuts before a long line rather than inside it', () => {
  const text = `A short one.\n${'A long line that fits. '.repeat(4).trim()}`;
  const chunks = recursive.chunk([{ page_num: 1, text }], { max_characters: 100, overlap: 0 });
  expect(chunks.map((chunk) => chunk.text)).toEqual(text.split('\n'));
});
