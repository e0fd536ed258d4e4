import type { ShownPage } from './viewers/pdf.ts';
import type { PlacedWord } from './words.ts';

/**
 * Why the other program shows a word that the product does not have, or the other way round, as far as a rule can tell. The rules were
 * written before the third that is only measured was read with them, and ask for more than a likeness.
 *
 * - `divided`: both have the letters at the same place, with other limits of words.
 * - `alone`: only poppler has it; another reader (MuPDF) does not.
 * - `second`: poppler does not have it; another reader does.
 * - `drawn`: the page shows the product's word, as recognition of the drawn page reads it too.
 * - `order`: a word of a right-to-left script, whose letters the other has from left to right.
 * - `faint`: the letters hardly differ from what is behind them, so that the product counts them as hidden.
 * - `edge`: a part of the word is beyond the edge of the page.
 * - `scale`: a number along the axis of a chart, which the program that draws the chart computes.
 * - `named`: the name of a series that has none: LibreOffice calls it by its column or row, Office by its number.
 * - `today`: the date of the day on which the file is printed.
 * - `printed`: a page number or a header that is printed around a sheet.
 * - `computed`: the result of a formula, which LibreOffice computes anew; the product has the stored one, as Excel shows it at first.
 * - `pivot`: a cell of a pivot table, which LibreOffice fills anew with words of its own.
 * - `rounded`: a number with more digits than Excel shows of it, which the file that LibreOffice writes has.
 * - `sign`: the sign before an entry of a list, which the product leaves out.
 * - `deleted`: text that is marked as deleted, which LibreOffice prints and the product leaves out.
 * - `art`: words in curved letters, which LibreOffice draws as shapes.
 * - `capitals`: small capitals, which LibreOffice prints as capital letters, or capital letters of a theme, which it does not.
 * - `notes`: the notes of a slide, which are not printed with it.
 * - `waits`: the page waits for recognition, which this run does without.
 */
export type Reason =
  | 'divided'
  | 'alone'
  | 'second'
  | 'drawn'
  | 'order'
  | 'faint'
  | 'edge'
  | 'scale'
  | 'named'
  | 'today'
  | 'printed'
  | 'computed'
  | 'pivot'
  | 'rounded'
  | 'sign'
  | 'deleted'
  | 'art'
  | 'capitals'
  | 'notes'
  | 'waits';

const number = /^[-–−]?[\d.,]+%?$/u;

export const isNumber = (text: string): boolean => number.test(text);

function valueOf(text: string): number {
  return Number(text.replaceAll(/[,%]/gu, '').replace(/[–−]/u, '-'));
}

/** Points that places may differ by. */
const tolerance = 1.5;
const minTicks = 3;

/**
 * The numbers of a page that are the scale of a chart: three or more in one column or row whose values and places grow evenly, and of which
 * two are not categories of a chart.
 */
export function scaleNumbers(words: readonly PlacedWord[], categories: ReadonlySet<string>): Set<PlacedWord> {
  const isOwn = ({ text }: PlacedWord): boolean => !categories.has(text);
  const all = words.filter(({ text, place }) => place && isNumber(text));
  const runs = [...runsOf(all.filter(isOwn)), ...runsOf(all)];
  return new Set(runs.filter((run) => run.filter(isOwn).length >= 2).flat());
}

/** Three or more numbers in one column or row whose values and places grow evenly. */
function runsOf(numbers: readonly PlacedWord[]): PlacedWord[][] {
  const found: PlacedWord[][] = [];
  const [right, middle, bottom] = [
    ({ place }: PlacedWord) => place!.x1,
    ({ place }: PlacedWord) => (place!.x0 + place!.x1) / 2,
    ({ place }: PlacedWord) => place!.y1,
  ];
  const height = ({ place }: PlacedWord): number => (place!.y0 + place!.y1) / 2;
  for (const [along, across] of [
    [right, height],
    [middle, height],
    [bottom, middle],
  ] as const) {
    const sorted = numbers.toSorted((one, other) => along(one) - along(other));
    for (let start = 0; start < sorted.length;) {
      let end = start + 1;
      while (end < sorted.length && along(sorted[end]!) - along(sorted[end - 1]!) <= tolerance) end += 1;
      const line = sorted.slice(start, end).sort((one, other) => across(one) - across(other));
      found.push(...evenRuns(line, across));
      start = end;
    }
  }
  return found;
}

function evenRuns(line: readonly PlacedWord[], across: (word: PlacedWord) => number): PlacedWord[][] {
  const found: PlacedWord[][] = [];
  const stepOf = (at: number): [value: number, place: number] => [
    valueOf(line[at + 1]!.text) - valueOf(line[at]!.text),
    across(line[at + 1]!) - across(line[at]!),
  ];
  for (let start = 0; start + 1 < line.length;) {
    const [value, place] = stepOf(start);
    let end = start + 1;
    while (end + 1 < line.length) {
      const [nextValue, nextPlace] = stepOf(end);
      if (Math.abs(nextValue - value) > Math.abs(value) * 1e-6 || Math.abs(nextPlace - place) > 2 * tolerance) break;
      end += 1;
    }
    if (end - start + 1 >= minTicks && value !== 0 && place > tolerance) found.push(line.slice(start, end + 1));
    start = end;
  }
  return found;
}

/** The names that LibreOffice makes for series without one: “Column B” or “Row 3”. */
export function inventedNames(words: readonly PlacedWord[]): Set<PlacedWord> {
  const isName = (kind: string, which = ''): boolean =>
    kind === 'Column' ? /^[A-Z]{1,3};?$/u.test(which) : kind === 'Row' && /^\d+;?$/u.test(which);
  return new Set(words.flatMap((word, at) => (isName(word.text, words[at + 1]?.text) ? words.slice(at, at + 2) : [])));
}

/** A day as programs print it in numbers. */
export function datesOf(day: Date): Set<string> {
  const [year, month, date] = [String(day.getFullYear()), String(day.getMonth() + 1), String(day.getDate())];
  const [month2, date2] = [month.padStart(2, '0'), date.padStart(2, '0')];
  return new Set(
    [year, year.slice(2)].flatMap((one) => [
      `${month}/${date}/${one}`,
      `${month2}/${date2}/${one}`,
      `${date2}/${month2}/${one}`,
      `${date2}.${month2}.${one}`,
      `${one}-${month2}-${date2}`,
    ]),
  );
}

/** The share of a page that holds its header, and the share that holds its footer. */
const margin = 0.12;

function isInMargin({ place }: PlacedWord, { height }: ShownPage): boolean {
  return place !== undefined && (place.y1 <= height * margin || place.y0 >= height * (1 - margin));
}

/**
 * The words of all pages. A line of a header or a footer that is printed at the same place of several pages counts once, as it is stored,
 * also if a page number in it differs.
 */
export function withoutRepeats(pages: readonly ShownPage[]): PlacedWord[] {
  const seen = new Set<string>();
  return pages.flatMap((page) => {
    const lineOf = ({ place }: PlacedWord): number => Math.round((place!.y0 + place!.y1) / 2 / sameLine);
    const lines = Map.groupBy(
      page.words.filter((word) => isInMargin(word, page)),
      lineOf,
    );
    const repeated = new Set<PlacedWord>();
    for (const [line, words] of lines) {
      const texts = words.map(({ text }) => text.replaceAll(/\d+/gu, '#'));
      const key = [line, Math.round(words[0]!.place!.x0), ...texts].join(' ');
      if (seen.has(key)) for (const word of words) repeated.add(word);
      seen.add(key);
    }
    return page.words.filter((word) => !repeated.has(word));
  });
}

/** Points within which words of a margin are on one line. */
const sameLine = 4;

/**
 * What printed pages show beside the sheets printed whole: headers, footers and page numbers around a sheet, and drawings that are cut
 * off where a sheet has one page of the size of its cells. What lies across the edge of two pages is printed twice and counts once.
 */
export function onPaperAlone(pages: readonly ShownPage[], whole: readonly PlacedWord[]): PlacedWord[] {
  const left = new Map<string, number>();
  for (const { text } of whole) left.set(text, (left.get(text) ?? 0) + 1);
  const around = new Set(pages.flatMap((page) => page.words.filter((word) => isInMargin(word, page))));
  return withoutRepeats(pages).flatMap((word): PlacedWord[] => {
    const { text } = word;
    const count = left.get(text);
    if (count !== undefined) left.set(text, count - 1);
    if (around.has(word)) return (count ?? 0) > 0 ? [] : [{ text, reason: 'printed' }];
    return count === undefined ? [{ text }] : [];
  });
}

/** Whether a printed word is what is left of words of cells: signs for a number without room, or the end of one and the start of another. */
export function isCutCell(text: string, cells: ReadonlySet<string>): boolean {
  if (/^#+$/u.test(text)) return true;
  if (isNumber(text) || cells.has(text)) return false;
  const words = [...cells];
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    const hasBefore = before === '' || words.some((word) => word.startsWith(before) || word.endsWith(before));
    const hasAfter = after === '' || words.some((word) => word.startsWith(after) || word.endsWith(after));
    if (hasBefore && hasAfter) return true;
  }
  return false;
}
