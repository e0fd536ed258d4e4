/** Places where a text may be cut, the best first; each match ends where the next piece begins. */
const boundaries = [/\n[^\S\n]*\n\s*/g, /\n+/g, /[.!?…]["'”’)\]]*\s+|[。！？]/gu, /[;:,]\s+/g, /\s+/g];

export interface Range {
  start: number;
  end: number;
}

/**
 * Cuts a range of a text into ranges of at most `most` units: between paragraphs where it can, else between lines,
 * sentences, clauses or words, and within a word only where nothing else is left. Each begins with as many whole words of the one
 * before as fit into `overlap`. Ranges carry no outer white space, and none is empty.
 */
export function splitText(text: string, range: Range, most: number, overlap = 0): Range[] {
  const pieces: Range[] = [];
  let { start } = range;
  while (range.end - start > most) {
    const cut = bestCut(text, start, start + most);
    pieces.push({ start, end: cut });
    const again = overlap > 0 ? wordStart(text, Math.max(cut - overlap, start + 1), cut) : cut;
    start = again;
  }
  pieces.push({ start, end: range.end });
  return pieces.map((piece) => trimmed(text, piece)).filter(({ start: from, end }) => end > from);
}

/** Not before the middle: a chunk that is far too small says little. */
function bestCut(text: string, from: number, to: number): number {
  const middle = from + Math.floor((to - from) / 2);
  const window = text.slice(middle, to);
  for (const boundary of boundaries) {
    const last = [...window.matchAll(boundary)].at(-1);
    if (last) return middle + last.index + last[0].length;
  }
  const isPair = /[\uD800-\uDBFF]/.test(text[to - 1] ?? '');
  return isPair && to - 1 > from ? to - 1 : to;
}

/** The first beginning of a word from `from` on; `end` where there is none. */
function wordStart(text: string, from: number, end: number): number {
  const found = /(?<=\s)\S/.exec(text.slice(from - 1, end));
  return found ? from - 1 + found.index : end;
}

function trimmed(text: string, { start, end }: Range): Range {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: end - piece.length + piece.trimEnd().length };
}
