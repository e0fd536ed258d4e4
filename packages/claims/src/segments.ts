import { citationMark, idsOfMark } from './split-sentences.ts';

/** A part of a sentence up to its citations. */
export interface Segment {
  from: number;
  to: number;
  ids: string[];
}

/** The parts of a sentence, each with the citations that follow it. Words behind the last citation belong to the last part. */
export function segmentsOf(sentence: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const match of sentence.matchAll(citationMark)) {
    const end = match.index + match[0].length;
    const last = segments.at(-1);
    const hasWords = /[\p{L}\p{N}]/u.test(sentence.slice(from, match.index));
    if (!hasWords && last !== undefined) {
      last.ids.push(...idsOfMark(match[1]!));
      last.to = end;
    } else segments.push({ from, to: end, ids: idsOfMark(match[1]!) });
    from = end;
  }
  const last = segments.at(-1);
  if (last === undefined) return [{ from: 0, to: sentence.length, ids: [] }];
  const [first, second] = segments;
  // A citation in front of all words belongs to what follows.
  if (second !== undefined && !/[\p{L}\p{N}]/u.test(withoutMarks(sentence.slice(0, first!.to)))) {
    second.from = 0;
    second.ids.unshift(...first!.ids);
    segments.shift();
  }
  segments.at(-1)!.to = sentence.length;
  return segments;
}

/** A text with its citation marks replaced by as many spaces. */
export const withoutMarks = (text: string): string => text.replaceAll(citationMark, (mark) => ' '.repeat(mark.length));
