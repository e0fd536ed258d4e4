/** Boundaries inside a line that is too long, best first. The next piece starts at the end of a match. */
const boundariesInLine = [/[.!?…]["'”’)\]]*\s+|[。！？]/gu, /[;:,]\s+/g, /\s+/g];
const betweenParagraphs = /\n[^\S\n]*\n\s*/g;
const betweenLines = /\n+/g;

export interface Range {
  start: number;
  end: number;
}

/**
 * Cuts a range of a text into ranges of at most `maxLength` characters: between paragraphs if possible, else between lines.
 * Only a line that is too long itself is cut inside: between sentences, clauses or words, as a last resort within a word.
 * A run of blanks counts as one character. Each range repeats as many whole lines of the previous one as fit into `overlap`
 * (whole words if a line was cut). Ranges have no outer white space, and none is empty.
 */
export function splitText(text: string, range: Range, maxLength: number, overlap = 0): Range[] {
  const pieces: Range[] = [];
  let { start } = range;
  for (;;) {
    const limit = endOfFit(text, start, range.end, maxLength);
    if (limit >= range.end) break;
    const cut = bestCut(text, start, limit);
    pieces.push({ start, end: cut });
    start = overlap > 0 ? overlapStart(text, Math.max(cut - overlap, start + 1), cut) : cut;
  }
  pieces.push({ start, end: range.end });
  return pieces.map((piece) => trimRange(text, piece)).filter(({ start: from, end }) => end > from);
}

/** The end of the first `maxLength` characters from `from`; a run of blanks counts once. */
function endOfFit(text: string, from: number, end: number, maxLength: number): number {
  let counted = 0;
  let at = from;
  for (; at < end; at += 1) {
    if (isBlank(text, at) && at > from && isBlank(text, at - 1)) continue;
    if (counted === maxLength) break;
    counted += 1;
  }
  return at;
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\t';
}

/** Prefers cuts in the second half: a very small chunk has little content. */
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

/** The end of the last match between `from` and `to`. Leading line ends of a piece are no boundary. */
function lastIn(text: string, from: number, to: number, boundary: RegExp): number | undefined {
  const last = [...text.slice(from, to).matchAll(boundary)].findLast(
    ({ index }) => text.slice(from, from + index).trim() !== '',
  );
  return last && from + last.index + last[0].length;
}

/** The first start of a line at or after `from`; the start of a word if the line was cut; else `end`. */
function overlapStart(text: string, from: number, end: number): number {
  const line = text.indexOf('\n', from - 1);
  if (line >= 0 && line + 1 < end) return line + 1;
  if (text[end - 1] === '\n') return end;
  const found = /(?<=\s)\S/.exec(text.slice(from - 1, end));
  return found ? from - 1 + found.index : end;
}

function trimRange(text: string, { start, end }: Range): Range {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: end - piece.length + piece.trimEnd().length };
}
