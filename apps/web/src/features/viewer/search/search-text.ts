import type { documentWords } from '@docwright/contract';
import type { z } from 'zod';
import type { PageBox } from '../geometry/box-geometry.ts';

export type DocumentWords = z.infer<typeof documentWords>;

/** Text prepared for search: lower case without accents, every gap one space. */
interface FoldedText {
  folded: string;
  /** The offset in the text of each character of `folded`, and the length of the text as the last entry. */
  offsets: number[];
}

const gap = /\s/u;
const accents = /\p{M}/gu;

export function foldText(text: string): FoldedText {
  const offsets: number[] = [];
  let folded = '';
  let offset = 0;
  for (const character of text) {
    const plain = foldCharacter(character);
    if (plain !== ' ' || !folded.endsWith(' ')) {
      folded += plain;
      for (let index = 0; index < plain.length; index += 1) offsets.push(offset);
    }
    offset += character.length;
  }
  offsets.push(text.length);
  return { folded, offsets };
}

function foldCharacter(character: string): string {
  if (gap.test(character)) return ' ';
  const lowerCase = character.toLowerCase();
  return character < '\u0080' ? lowerCase : lowerCase.normalize('NFKD').replace(accents, '');
}

/** The places of `query`, as offsets in the original text; none for an empty query. */
export function findAll({ folded, offsets }: FoldedText, query: string): { start: number; end: number }[] {
  const foldedQuery = foldText(query.trim()).folded;
  const found: { start: number; end: number }[] = [];
  if (foldedQuery === '') return found;
  for (
    let from = folded.indexOf(foldedQuery);
    from >= 0;
    from = folded.indexOf(foldedQuery, from + foldedQuery.length)
  ) {
    const last = offsets[from + foldedQuery.length - 1]!;
    // One character of the text can become several folded ones.
    let next = from + foldedQuery.length;
    while (next < offsets.length - 1 && offsets[next]! <= last) next += 1;
    found.push({ start: offsets[from]!, end: offsets[next]! });
  }
  return found;
}

/** The places of each hit on a page, in the order of the page's words; a hit over several lines has a box on each. */
export function hitBoxes(page: DocumentWords, pageNumber: number, query: string): PageBox[][] {
  const starts: number[] = [];
  let text = '';
  for (const word of page.words) {
    starts.push(text.length);
    text += `${word.text} `;
  }
  return findAll(foldText(text), query).map((range) => boxesOfRange(page, starts, pageNumber, range));
}

/** The boxes of a text range on its page, one for each line; `starts` has the offset of each word in the text. */
export function boxesOfRange(
  { page, words }: DocumentWords,
  starts: readonly number[],
  pageNumber: number,
  { start, end }: { start: number; end: number },
): PageBox[] {
  const boxes: PageBox[] = [];
  for (let index = lastIndexBefore(starts, start); index < words.length && starts[index]! < end; index += 1) {
    const word = words[index]!;
    const length = word.text.length;
    const [from, to] = [Math.max(0, start - starts[index]!), Math.min(length, end - starts[index]!)];
    if (from >= length) continue;
    // Vertical words are not cut.
    const upright = word.x1 - word.x0 >= word.y1 - word.y0 || length === 1;
    const [left, right] = upright ? cut(word.x0, word.x1, from / length, to / length) : [word.x0, word.x1];
    boxes.push({
      page_num: pageNumber,
      x0: left / page.width,
      y0: word.y0 / page.height,
      x1: right / page.width,
      y1: word.y1 / page.height,
    });
  }
  return joinLines(boxes);
}

const cut = (low: number, high: number, from: number, to: number): [number, number] => [
  low + (high - low) * from,
  low + (high - low) * to,
];

function lastIndexBefore(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset);
  return Math.max(0, (next < 0 ? starts.length : next) - 1);
}

/** Joins the boxes of consecutive words on one line. */
function joinLines(boxes: PageBox[]): PageBox[] {
  const joined: PageBox[] = [];
  for (const box of boxes) {
    const last = joined.at(-1);
    const middle = (box.y0 + box.y1) / 2;
    if (last && middle > last.y0 && middle < last.y1 && box.x0 >= last.x0) {
      last.x1 = Math.max(last.x1, box.x1);
      last.y0 = Math.min(last.y0, box.y0);
      last.y1 = Math.max(last.y1, box.y1);
    } else joined.push({ ...box });
  }
  return joined;
}
