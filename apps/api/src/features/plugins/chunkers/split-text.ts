/** Places where a line may be cut that is too long by itself, the best first; each match ends where the next piece begins. */
const boundariesInLine = [/[.!?…]["'”’)\]]*\s+|[。！？]/gu, /[;:,]\s+/g, /\s+/g];
const betweenParagraphs = /\n[^\S\n]*\n\s*/g;
const betweenLines = /\n+/g;

export interface Range {
  start: number;
  end: number;
}

/**
 * Cuts a range of a text into ranges of at most `most` characters: between paragraphs where it can, else between lines. A line is
 * cut only where it alone is too long: between sentences, clauses or words, and within a word only where nothing else is left.
 * Blanks that lay a line out count once. Each range begins with as many whole lines of the one before as fit into `overlap` (whole
 * words, where a line was cut). Ranges carry no outer white space, and none is empty.
 */
export function splitText(text: string, range: Range, most: number, overlap = 0): Range[] {
  const pieces: Range[] = [];
  let { start } = range;
  for (;;) {
    const limit = reach(text, start, range.end, most);
    if (limit >= range.end) break;
    const cut = bestCut(text, start, limit);
    pieces.push({ start, end: cut });
    start = overlap > 0 ? overlapStart(text, Math.max(cut - overlap, start + 1), cut) : cut;
  }
  pieces.push({ start, end: range.end });
  return pieces.map((piece) => trimmed(text, piece)).filter(({ start: from, end }) => end > from);
}

/** Where `most` characters from `from` on end; of blanks that follow each other in a line the first counts. */
function reach(text: string, from: number, end: number, most: number): number {
  let counted = 0;
  let at = from;
  for (; at < end; at += 1) {
    if (isBlank(text, at) && at > from && isBlank(text, at - 1)) continue;
    if (counted === most) break;
    counted += 1;
  }
  return at;
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\t';
}

/** Between paragraphs in the second half, since a chunk that is far too small says little; else between any two lines. */
function bestCut(text: string, from: number, to: number): number {
  const middle = from + Math.floor((to - from) / 2);
  const found =
    lastIn(text, middle, to, betweenParagraphs) ??
    lastIn(text, middle, to, betweenLines) ??
    lastIn(text, from, to, betweenLines);
  if (found !== undefined && found > from) return found;
  for (const boundary of boundariesInLine) {
    const last = lastIn(text, middle, to, boundary);
    if (last !== undefined) return last;
  }
  const isPair = /[\uD800-\uDBFF]/.test(text[to - 1] ?? '');
  return isPair && to - 1 > from ? to - 1 : to;
}

/** The end of the last match between two places. Outer line ends of a piece are no place to cut it. */
function lastIn(text: string, from: number, to: number, boundary: RegExp): number | undefined {
  const last = [...text.slice(from, to).matchAll(boundary)].findLast(
    ({ index }) => text.slice(from, from + index).trim() !== '',
  );
  return last && from + last.index + last[0].length;
}

/** The first beginning of a line from `from` on; of a word, where the line itself was cut; `end` where there is none. */
function overlapStart(text: string, from: number, end: number): number {
  const line = text.indexOf('\n', from - 1);
  if (line >= 0 && line + 1 < end) return line + 1;
  if (text[end - 1] === '\n') return end;
  const found = /(?<=\s)\S/.exec(text.slice(from - 1, end));
  return found ? from - 1 + found.index : end;
}

function trimmed(text: string, { start, end }: Range): Range {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: end - piece.length + piece.trimEnd().length };
}
