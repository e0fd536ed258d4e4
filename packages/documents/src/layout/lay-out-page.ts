import type { PageTable } from '../page/page-table.ts';
import type { Word } from '../page/page.ts';
import { turnUpright, type ReadingDirection } from '../page/reading-direction.ts';
import type { PageWord } from './page-word.ts';
import { paragraphGap, readingBlocks, rowsToText, textGridOf, type TextGrid } from './rows/reading-rows.ts';
import { inReadingOrder, isRightToLeftWord, withPairedBrackets } from './rows/right-to-left.ts';
import { groupRows } from './rows/rows.ts';
import { findTables, toPageTable, wordsOfTable } from './tables/find-tables.ts';
import type { Rule } from './tables/rule.ts';
import { tableText, wordsInOrder } from './tables/table-text.ts';
import type { FoundTable } from './tables/table.ts';

interface LaidOutPage {
  text: string;
  words: Word[];
  tables: PageTable[];
}

/**
 * The text of a page for people and language models, its words in the same order, and its tables. Each reading direction is laid
 * out separately: the one with most words first, text at an angle last. `rules` are the printed lines of the page.
 */
export function layOutPage(words: readonly PageWord[], rules: readonly Rule[] = []): LaidOutPage {
  if (words.every(({ direction }) => direction === 'right')) return layOutUpright(words, rules, (word) => word);
  const byDirection = Map.groupBy(words, (word) => word.direction);
  const parts = [...byDirection]
    .sort(([a, aWords], [b, bWords]) => Number(!a) - Number(!b) || bWords.length - aWords.length)
    .map(([direction, turned]) => layOutDirection(turned, direction, rules));
  return {
    text: parts.map((part) => part.text).join('\n\n'),
    words: parts.flatMap((part) => part.words),
    tables: parts.flatMap((part) => part.tables),
  };
}

/** A word turned upright, with the original word. */
interface TurnedWord extends Word {
  asDisplayed: Word;
}

function layOutDirection(
  words: readonly PageWord[],
  direction: ReadingDirection | undefined,
  rules: readonly Rule[],
): LaidOutPage {
  // Text at an angle, such as stamps and watermarks, is in the order of the file.
  if (direction === undefined) return { text: words.map((word) => word.text).join(' '), words: [...words], tables: [] };
  if (direction === 'right') return layOutUpright(words, rules, (word) => word);
  const turned = words.map((word): TurnedWord => ({
    text: word.text,
    ...turnUpright(word, direction),
    asDisplayed: word,
  }));
  const turnedRules = rules.map((rule) => turnUpright(rule, direction));
  const { words: ordered, ...laidOut } = layOutUpright(turned, turnedRules, (word) => word.asDisplayed);
  return {
    ...laidOut,
    words: ordered.map(({ text, asDisplayed }) => (text === asDisplayed.text ? asDisplayed : { ...asDisplayed, text })),
  };
}

interface Block<Upright extends Word> {
  text: string;
  words: Upright[];
  /** Edges: a line end alone separates blocks that follow each other closely. */
  y0: number;
  y1: number;
  lineHeight: number;
}

function layOutUpright<Upright extends Word>(
  painted: readonly Upright[],
  rules: readonly Rule[],
  boxOf: (word: Upright) => Word,
): Omit<LaidOutPage, 'words'> & { words: Upright[] } {
  const words = painted.some(isRightToLeftWord) ? withPairedBrackets(painted) : painted;
  const rows = groupRows(words);
  const found = findTables(words, rules, rows).map(inLogicalOrder);
  const tables = found.map((table) => toPageTable(table, boxOf));
  const needingLayout = found.filter(needsLayout);
  if (needingLayout.length === 0 || words.some(isRightToLeftWord)) {
    const blocks = readingBlocks(words, rows).map((block) => rowBlock(block));
    return { text: blocks.map(({ text }) => text).join('\n\n'), words: blocks.flatMap((block) => block.words), tables };
  }
  const tableWords = new Set(needingLayout.flatMap(wordsOfTable));
  const otherWords = words.filter((word) => !tableWords.has(word));
  const blocks = layOutAround(needingLayout, otherWords, textGridOf([{ words }]));
  let text = '';
  for (const [index, { text: own, y0, lineHeight }] of blocks.entries()) {
    const before = blocks[index - 1];
    if (before) text += y0 >= before.y1 && y0 - before.y1 <= lineHeight * paragraphGap ? '\n' : '\n\n';
    text += own;
  }
  return { text, words: blocks.flatMap((block) => block.words), tables };
}

/** In a right-to-left script, the first column of a table is at the right, and so is the first word of a cell. */
function inLogicalOrder<Upright extends Word>(table: FoundTable<Upright>): FoundTable<Upright> {
  const words = wordsOfTable(table);
  const lettered = words.filter(({ text }) => /\p{L}/u.test(text));
  if (lettered.filter(isRightToLeftWord).length * 2 <= lettered.length) return table;
  const cells = table.cells.map((cell) => ({
    ...cell,
    column: table.columns - cell.column - cell.column_span,
    lines: cell.lines.map((line) => ({ ...line, words: inReadingOrder(line.words) })),
  }));
  return { ...table, cells: cells.sort((one, other) => one.row - other.row || one.column - other.column) };
}

/** Other tables have the same text as the rows of the page. */
function needsLayout({ kind, cells }: FoundTable): boolean {
  return kind === 'form' || cells.some(({ lines }) => lines.length > 1);
}

/** Where text is, as seen from a table. */
type Part = 'above' | 'left' | 'right' | 'below';

/** Blocks in reading order: the text above the first table, left of it, the table, the text right of it, below it. */
function layOutAround<Upright extends Word>(
  tables: readonly FoundTable<Upright>[],
  words: readonly Upright[],
  grid: TextGrid,
): Block<Upright>[] {
  const [table, ...others] = tables;
  if (!table) return words.length === 0 ? [] : readingBlocks(words).map((rows) => rowBlock(rows, grid));
  const partOf = (box: Word | FoundTable<Upright>): Part => {
    const middle = (box.y0 + box.y1) / 2;
    if (middle < table.y0) return 'above';
    if (middle > table.y1) return 'below';
    return box.x0 + box.x1 < table.x0 + table.x1 ? 'left' : 'right';
  };
  const blocksOf = (part: Part): Block<Upright>[] =>
    layOutAround(
      others.filter((other) => partOf(other) === part),
      words.filter((word) => partOf(word) === part),
      grid,
    );
  const first = table.cells[0]!.lines[0]!;
  const own: Block<Upright> = {
    text: tableText(table, grid),
    words: wordsInOrder(table),
    y0: table.y0,
    y1: table.y1,
    lineHeight: first.y1 - first.y0,
  };
  return [...blocksOf('above'), ...blocksOf('left'), own, ...blocksOf('right'), ...blocksOf('below')];
}

function rowBlock<Upright extends Word>(
  rows: ReturnType<typeof readingBlocks<Upright>>[number],
  grid?: TextGrid,
): Block<Upright> {
  for (const row of rows) row.words = inReadingOrder(row.words);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    text: rowsToText(rows, grid),
    words: rows.flatMap((row) => row.words),
    y0: first?.y0 ?? 0,
    y1: last?.y1 ?? 0,
    lineHeight: first ? first.y1 - first.y0 : 0,
  };
}
