import type { PageTable } from '../../page/page-table.ts';
import type { Word } from '../../page/page.ts';
import { medianHeight } from '../rows/median.ts';
import { groupRows, type Row } from '../rows/rows.ts';
import { alignedTables } from './aligned-tables.ts';
import { fillGrid } from './fill-grid.ts';
import { asForm } from './form-captions.ts';
import type { Rule } from './rule.ts';
import { ruledGrids } from './ruled-grid.ts';
import { runsOf } from './runs.ts';
import { partsOf, textOf, type FoundTable } from './table.ts';

/** Between printed lines that meet, in heights of a word. */
const meetingTolerance = 0.3;
/** Share of the cells with words that are far apart. */
const maxLooseShare = 0.2;
/** A page with more words is searched for printed grids alone. */
const maxAlignedWords = 10_000;

/**
 * Finds the tables of upright words: those with printed lines first, then those of the other words. A word is in at most one
 * table. `rows` are the rows of the words.
 */
export function findTables<PageWord extends Word>(
  words: readonly PageWord[],
  rules: readonly Rule[],
  rows: readonly Row<PageWord>[] = groupRows(words),
): FoundTable<PageWord>[] {
  if (words.length === 0) return [];
  const tolerance = medianHeight(words)! * meetingTolerance;
  const tables: FoundTable<PageWord>[] = [];
  let remaining: readonly PageWord[] = words;
  for (const grid of rules.length > 0 ? ruledGrids(rules, tolerance) : []) {
    const filled = fillGrid(grid, remaining);
    if (!filled) continue;
    const table = withMoreColumns(asForm(filled));
    if (table.kind === 'ruled' && hasLooseCells(table)) continue;
    tables.push(table);
    remaining = without(remaining, table);
  }
  if (remaining.length <= maxAlignedWords) {
    tables.push(...alignedTables(remaining === words ? rows : groupRows(remaining)));
  }
  return tables.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
}

/** The lines of bands and boxes behind a table cross its columns, so that cells contain words that are far apart. */
function hasLooseCells({ cells }: FoundTable): boolean {
  const loose = cells.filter(({ lines }) => lines.some((line) => runsOf(line).length > 1));
  return loose.length > cells.length * maxLooseShare;
}

/** Takes the columns from the words if there are more of them: lines between columns can be missing or too faint. */
function withMoreColumns<CellWord extends Word>(table: FoundTable<CellWord>): FoundTable<CellWord> {
  if (table.kind === 'form' || table.cells.some(({ lines }) => lines.length > 1)) return table;
  const words = wordsOfTable(table);
  const aligned = alignedTables(groupRows(words)).find((other) => wordsOfTable(other).length === words.length);
  return aligned && aligned.columns > table.columns ? { ...aligned, kind: 'ruled' } : table;
}

export function wordsOfTable<CellWord extends Word>({ cells }: FoundTable<CellWord>): CellWord[] {
  return cells.flatMap(({ lines }) => lines.flatMap(({ words }) => words));
}

function without<PageWord extends Word>(words: readonly PageWord[], table: FoundTable<PageWord>): readonly PageWord[] {
  const used = new Set(wordsOfTable(table));
  return words.filter((word) => !used.has(word));
}

/** The table as part of a page, with texts in place of words. `boxOf` returns the box of a word as displayed. */
export function toPageTable<CellWord extends Word>(
  table: FoundTable<CellWord>,
  boxOf: (word: CellWord) => Word,
): PageTable {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const word of wordsOfTable(table)) {
    const { x0, y0, x1, y1 } = boxOf(word);
    box.x0 = Math.min(box.x0, x0);
    box.y0 = Math.min(box.y0, y0);
    box.x1 = Math.max(box.x1, x1);
    box.y1 = Math.max(box.y1, y1);
  }
  return {
    ...box,
    kind: table.kind,
    rows: table.rows,
    columns: table.columns,
    cells: table.cells.map((cell) => {
      const { row, column, row_span, column_span } = cell;
      const { caption, value } = partsOf(cell);
      return {
        row,
        column,
        row_span,
        column_span,
        text: textOf(value),
        ...(caption.length > 0 && { caption: textOf(caption) }),
      };
    }),
  };
}
