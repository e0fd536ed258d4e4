import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { detectType, parseDocument, recognizePage, type Page, type PageTable } from '@docwright/documents';
import { formCells } from './form-cells.ts';

/** Counts of cells: expected ones, found ones, and found ones that are right. */
interface CellScore {
  expected: number;
  found: number;
  right: number;
}

/** The content of a page: rows of tables, and boxes of forms as caption and value. */
export interface ExpectedCells {
  page: number;
  rows?: readonly (readonly string[])[];
  boxes?: Readonly<Record<string, string>>;
}

/** A found table can have rows or columns before the expected ones, such as its title. */
const [maxRowOffset, maxColumnOffset] = [3, 2];

function f1({ expected, found, right }: CellScore): number {
  return expected + found === 0 ? 1 : (2 * right) / (expected + found);
}

/**
 * A cell is right if its text is in the expected row and column (in a form: beside the expected caption). All cells of all
 * tables of the pages count as found, unexpected ones too.
 */
function scoreCells(expected: readonly ExpectedCells[], pages: readonly Page[]): CellScore {
  const score: CellScore = { expected: 0, found: 0, right: 0 };
  for (const { page_num, tables = [] } of pages) {
    for (const { cells } of tables) score.found += cells.length;
    const left = new Set(tables);
    for (const { page, rows = [], boxes = {} } of expected) {
      if (page !== page_num) continue;
      const wanted = rows.flatMap((row, at) => row.map((text, column) => ({ row: at, column, text: plain(text) })));
      const there = wanted.filter(({ text }) => text !== '');
      score.expected += there.length + Object.keys(boxes).length;
      const [best] = [...left]
        .map((table) => ({ table, right: rightCells(there, table) }))
        .sort((a, b) => b.right - a.right);
      if (best && best.right > 0) {
        score.right += best.right;
        left.delete(best.table);
      }
      const found = [...left].flatMap(({ cells }) => cells);
      score.right += Object.entries(boxes).filter(([caption, text]) =>
        found.some((cell) => plain(cell.caption ?? '') === plain(caption) && plain(cell.text) === plain(text)),
      ).length;
    }
  }
  return score;
}

function rightCells(wanted: readonly { row: number; column: number; text: string }[], { cells }: PageTable): number {
  let most = 0;
  const there = new Set(cells.map(({ row, column, text }) => `${row} ${column} ${plain(text)}`));
  for (let rows = -1; rows <= maxRowOffset; rows += 1) {
    for (let columns = -1; columns <= maxColumnOffset; columns += 1) {
      const right = wanted.filter(({ row, column, text }) => there.has(`${row + rows} ${column + columns} ${text}`));
      most = Math.max(most, right.length);
    }
  }
  return most;
}

function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}

/** Prints the F1 of cells on the tables and forms of a corpus. */
export async function printCellScores(corpus: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(corpus, 'manifest.json'), 'utf8')) as {
    file: string;
    expected: { tables?: { page: number; rows?: string[][] }[] } | null;
  }[];
  const groups = new Map<string, CellScore>();
  for (const { file, expected } of manifest) {
    const cells = formCells[file] ?? expected?.tables?.filter(({ rows }) => rows);
    if (!cells || cells.length === 0) continue;
    const score = scoreCells(cells, await readAll(path.join(corpus, file)));
    const group = file in formCells ? 'forms' : 'ICDAR tables';
    const sum = groups.get(group) ?? { expected: 0, found: 0, right: 0 };
    for (const key of ['expected', 'found', 'right'] as const) sum[key] += score[key];
    groups.set(group, sum);
    printScore(file, score);
  }
  for (const [group, score] of groups) printScore(`${group}, all`, score);
}

function printScore(name: string, score: CellScore): void {
  const { expected, found, right } = score;
  console.log(
    `cells of ${name}: F1 ${f1(score).toFixed(3)} (${right} right of ${expected} expected and ${found} found)`,
  );
}

async function readAll(file: string): Promise<Page[]> {
  const bytes = await readFile(file);
  const name = path.basename(file);
  const mimeType = await detectType(bytes, name);
  const { pages } = await parseDocument({ bytes, mimeType });
  return await Promise.all(
    pages.map(async (page) => {
      if (!page.needs_ocr) return page;
      return (await recognizePage({ bytes, mimeType, pageNumber: page.page_num, engine: 'tesseract' })).page;
    }),
  );
}
