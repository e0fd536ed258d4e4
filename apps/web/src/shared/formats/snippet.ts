interface SnippetPart {
  text: string;
  marked: boolean;
}

interface Range {
  start: number;
  end: number;
}

/**
 * Cuts about `maxLength` characters out of a text, where most of its marked words are; without marks, from the start.
 * It starts a little before the first mark. Runs of white space become one space.
 */
export function snippetOf(original: string, originalMarks: readonly Range[], maxLength = 320): SnippetPart[] {
  const { text, marks } = collapseGaps(original, originalMarks);
  const window = bestWindow(text, marks, maxLength);
  const parts: SnippetPart[] = [];
  let at = window.start;
  for (const mark of marks) {
    const [start, end] = [Math.max(mark.start, at), Math.min(mark.end, window.end)];
    if (start >= end) continue;
    if (start > at) parts.push({ text: text.slice(at, start), marked: false });
    parts.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < window.end) parts.push({ text: text.slice(at, window.end), marked: false });
  if (window.start > 0) parts.unshift({ text: '… ', marked: false });
  if (window.end < text.length) parts.push({ text: ' …', marked: false });
  return parts;
}

/** Replaces each run of white space by one space, and moves the marks accordingly. */
function collapseGaps(text: string, marks: readonly Range[]): { text: string; marks: Range[] } {
  const gaps = [...text.matchAll(/\s+/gu)].map(({ index, 0: gap }) => ({
    end: index + gap.length,
    less: gap.length - 1,
  }));
  const moved = (offset: number) => gaps.reduce((at, { end, less }) => (end <= offset ? at - less : at), offset);
  return {
    text: text.replace(/\s+/gu, ' '),
    marks: marks.map(({ start, end }) => ({ start: moved(start), end: moved(end) })),
  };
}

/**
 * Finds the mark to show first: the `maxLength` characters from it hold the most different marked words, then the most
 * marks. Undefined without marks.
 */
export function densestMark<Mark extends Range>(
  text: string,
  marks: readonly Mark[],
  maxLength: number,
): Mark | undefined {
  const words = marks.map(({ start, end }) => wordIn(text.slice(start, end)));
  let best: { mark: Mark; words: number; count: number } | undefined;
  for (const [index, mark] of marks.entries()) {
    const seen = words.filter((_, at) => at >= index && marks[at]!.end <= mark.start + maxLength);
    const found = { mark, words: new Set(seen).size, count: seen.length };
    if (!best || found.words > best.words || (found.words === best.words && found.count > best.count)) best = found;
  }
  return best?.mark;
}

/** Approximates a word's stem: the forms of a word mostly share their first letters. */
const wordIn = (found: string): string => found.toLowerCase().slice(0, 5);

/** Share of the window before its first mark, so that the mark is read in its sentence. */
const leadShare = 0.2;

function bestWindow(text: string, marks: readonly Range[], maxLength: number): Range {
  if (text.length <= maxLength) return { start: 0, end: text.length };
  const first = densestMark(text, marks, maxLength * (1 - leadShare))?.start ?? 0;
  const from = Math.min(Math.max(0, first - Math.round(maxLength * leadShare)), text.length - maxLength);
  return { start: wordEdge(text, from, 1), end: wordEdge(text, Math.min(from + maxLength, text.length), -1) };
}

/** Some scripts have no spaces: the search for a word's edge gives up after this many characters. */
const maxEdgeDistance = 24;

/** The nearest edge of a word in a direction; without one nearby, an offset that does not split a surrogate pair. */
function wordEdge(text: string, offset: number, direction: 1 | -1): number {
  if (offset <= 0 || offset >= text.length) return offset;
  for (let step = 0; step < maxEdgeDistance; step += 1) {
    const at = offset + step * direction;
    if (at <= 0 || at >= text.length) return at < 0 ? 0 : Math.min(at, text.length);
    if (/\s/u.test(text[direction === 1 ? at - 1 : at]!)) return at;
  }
  return /[\uDC00-\uDFFF]/u.test(text[offset]!) ? offset + direction : offset;
}
