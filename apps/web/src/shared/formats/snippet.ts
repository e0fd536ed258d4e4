interface SnippetPart {
  text: string;
  marked: boolean;
}

interface Range {
  start: number;
  end: number;
}

/**
 * The part of a text of about `most` characters with most of the words that are marked in it, begun a little before the first of them; from the
 * start where there are none. Gaps are one space each, as on a page without columns.
 */
export function snippetOf(original: string, placed: readonly Range[], most = 320): SnippetPart[] {
  const { text, marks } = withoutGaps(original, placed);
  const window = bestWindow(text, marks, most);
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

/** The text with a single space in each gap, and where the marks stand in that. */
function withoutGaps(text: string, marks: readonly Range[]): { text: string; marks: Range[] } {
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
 * From which mark on most of the words that are marked in a text stand close together, and of those places the one with most
 * marks: where a reader should look first. Undefined without marks.
 */
export function densestMark<Mark extends Range>(text: string, marks: readonly Mark[], most: number): Mark | undefined {
  const words = marks.map(({ start, end }) => wordIn(text.slice(start, end)));
  let best: { mark: Mark; words: number; count: number } | undefined;
  for (const [index, mark] of marks.entries()) {
    const seen = words.filter((_, at) => at >= index && marks[at]!.end <= mark.start + most);
    const found = { mark, words: new Set(seen).size, count: seen.length };
    if (!best || found.words > best.words || (found.words === best.words && found.count > best.count)) best = found;
  }
  return best?.mark;
}

/** The same for the forms of a word, as nearly as its beginning says. */
const wordIn = (found: string): string => found.toLowerCase().slice(0, 5);

/** Of a window, what stands before its first mark, so that it is read in its sentence. */
const before = 0.2;

function bestWindow(text: string, marks: readonly Range[], most: number): Range {
  if (text.length <= most) return { start: 0, end: text.length };
  const first = densestMark(text, marks, most * (1 - before))?.start ?? 0;
  const from = Math.min(Math.max(0, first - Math.round(most * before)), text.length - most);
  return { start: atWord(text, from, 1), end: atWord(text, Math.min(from + most, text.length), -1) };
}

/** No further than that for the edge of a word: there are scripts without gaps. */
const farthest = 24;

/** The nearest edge of a word in a direction; where there is none nearby, not between the halves of a character. */
function atWord(text: string, offset: number, direction: 1 | -1): number {
  if (offset <= 0 || offset >= text.length) return offset;
  for (let step = 0; step < farthest; step += 1) {
    const at = offset + step * direction;
    if (at <= 0 || at >= text.length) return at < 0 ? 0 : Math.min(at, text.length);
    if (/\s/u.test(text[direction === 1 ? at - 1 : at]!)) return at;
  }
  return /[\uDC00-\uDFFF]/u.test(text[offset]!) ? offset + direction : offset;
}
