import type { Grounding } from '@docwright/contract';

/** Lines of a page that contain values of a result. */
export interface ExamplePassage {
  page: number;
  text: string;
}

interface Line {
  page: number;
  number: number;
}

/**
 * The lines of the pages that contain the values, each with the line above it, which is often the label of the value.
 *
 * @param grounding Places by the path of the value.
 * @param pages The text of pages by their number; a place on another page is left out.
 *
 * @example
 * passagesOf({ total: { page_num: 1, quote: '12.50', boxes: [], match: 'exact' } }, new Map([[1, 'Sum\nTotal  12.50\nThanks']]));
 * // [{ page: 1, text: 'Sum\nTotal  12.50' }]
 */
export function passagesOf(
  grounding: Readonly<Record<string, Grounding>>,
  pages: ReadonlyMap<number, string>,
): ExamplePassage[] {
  const lines = new Map([...pages].map(([page, text]) => [page, text.split('\n')]));
  const quoted = new Map<string, Line>();
  for (const place of Object.values(grounding)) {
    for (const line of linesOf(place, lines)) quoted.set(`${line.page} ${line.number}`, line);
  }
  const passages: (ExamplePassage & { last: number })[] = [];
  for (const { page, number } of [...quoted.values()].toSorted(inOrder)) {
    const former = passages.at(-1);
    const text = lines.get(page)?.[number]?.trim() ?? '';
    if (text === '') continue;
    if (former?.page === page && former.last === number - 1) {
      former.text += `\n${text}`;
      former.last = number;
    } else passages.push({ page, text, last: number });
  }
  return passages.map(({ page, text }) => ({ page, text }));
}

const inOrder = (a: Line, b: Line): number => a.page - b.page || a.number - b.number;

/** The line that contains the quote, nearest to the height of its box, and the line above it. */
function linesOf({ page_num, quote, boxes }: Grounding, pages: ReadonlyMap<number, string[]>): Line[] {
  const lines = page_num === null ? undefined : pages.get(page_num);
  if (page_num === null || quote === null || lines === undefined) return [];
  const words = collapseSpaces(quote);
  const found = lines.flatMap((line, number) => (collapseSpaces(line).includes(words) ? number : []));
  if (found.length === 0) return [];
  const height = (boxes[0]?.y0 ?? 0) * lines.length;
  const [nearestLine = 0] = found.toSorted((a, b) => Math.abs(a - height) - Math.abs(b - height));
  return [nearestLine - 1, nearestLine].filter((number) => number >= 0).map((number) => ({ page: page_num, number }));
}

const collapseSpaces = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
