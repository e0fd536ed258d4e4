import { gridColumns } from '../grid/grid-pages.ts';
import { tableLines } from '../grid/table-lines.ts';
import { wrapLines } from '../grid/wrap-lines.ts';
import type { Block, PictureBlock, TableBlock, TableCell } from './block.ts';
import { readMetafile } from './metafile-text.ts';

/** Lines of text, or a picture between them. */
export type FlowPart = { kind: 'lines'; lines: string[] } | PictureBlock;

/** A cell with more text is not on one line with the other cells of its row. */
const maxCellCharacters = 240;
const maxRowCharacters = gridColumns * 6;
/** A table has at most so many columns, whatever its cells say they span. */
const maxColumns = 1_000;
const maxIndent = 10;
const indentWidth = 2;
/** Readers take no deeper tables. */
const maxNesting = 400;

/** Lays blocks out as lines. A table row is one line, unless its cells hold long texts: then they follow each other. */
export function layOutBlocks(blocks: readonly Block[]): FlowPart[] {
  const parts: FlowPart[] = [];
  addBlocks(blocks, 0, linesOf(parts));
  return parts;
}

interface Lines {
  add(...lines: string[]): void;
  addPicture(picture: PictureBlock): void;
  gap(): void;
}

function linesOf(parts: FlowPart[]): Lines {
  const current = (): string[] => {
    const last = parts.at(-1);
    if (last?.kind === 'lines') return last.lines;
    const lines: string[] = [];
    parts.push({ kind: 'lines', lines });
    return lines;
  };
  return {
    add(...lines) {
      const target = current();
      for (const line of lines) target.push(line);
    },
    addPicture: (picture) => void parts.push(picture),
    gap() {
      const lines = current();
      if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
    },
  };
}

function addBlocks(blocks: readonly Block[], depth: number, lines: Lines): void {
  let breaksPage = false;
  for (const block of blocks) {
    switch (block.kind) {
      case 'text': {
        const indent = ' '.repeat(Math.min(block.indent ?? 0, maxIndent) * indentWidth);
        const [first = '', ...rest] = wrapLines(block.text);
        lines.add(
          `${breaksPage ? '\f' : ''}${indent}${first}`.trimEnd(),
          ...rest.map((line) => `${indent}${line}`.trimEnd()),
        );
        breaksPage = false;
        break;
      }
      case 'table':
        lines.gap();
        addTable(block, depth, lines);
        lines.gap();
        break;
      case 'picture': {
        const drawn = readMetafile(block.bytes);
        for (const line of drawn?.lines ?? []) lines.add(...wrapLines(line));
        if (!drawn || drawn.lines.length === 0 || drawn.hasPictures) lines.addPicture(block);
        break;
      }
      case 'page_break':
        breaksPage = true;
        break;
      case 'gap':
        lines.gap();
    }
  }
}

function addTable({ rows }: TableBlock, depth: number, lines: Lines): void {
  let waiting: string[][] = [];
  const flush = (): void => {
    lines.add(...tableLines(waiting).filter((line) => line !== ''));
    waiting = [];
  };
  /** Rows that a cell above still covers, by column. */
  const covered: number[] = [];
  for (const row of rows) {
    const cells = row.map(cellText);
    const isOneLine =
      row.length > 1 &&
      cells.every((text) => text !== undefined && text.length <= maxCellCharacters) &&
      cells.reduce((sum, text) => sum + text!.length, 0) <= maxRowCharacters;
    if (isOneLine) {
      waiting.push(placeCells(row, cells as string[], covered));
      continue;
    }
    placeCells(row, [], covered);
    flush();
    for (const cell of row) {
      if (depth < maxNesting) addBlocks(cell.blocks, depth + 1, lines);
    }
  }
  flush();
}

/** The texts of a row by column: empty where a cell spans several columns or comes from a row above. */
function placeCells(row: readonly TableCell[], texts: readonly string[], covered: number[]): string[] {
  const placed: string[] = [];
  let column = 0;
  const skipCovered = (): void => {
    while ((covered[column] ?? 0) > 0 && column < maxColumns) {
      covered[column]! -= 1;
      placed[column] = '';
      column += 1;
    }
  };
  for (const [index, { columns = 1, rows = 1 }] of row.entries()) {
    skipCovered();
    for (let span = 0; span < columns && column < maxColumns; span += 1) {
      placed[column] = span === 0 ? (texts[index] ?? '') : '';
      covered[column] = rows - 1;
      column += 1;
    }
  }
  skipCovered();
  return placed;
}

/** The text of a cell on one line; undefined if it holds a table or a picture. */
function cellText({ blocks }: TableCell): string | undefined {
  const texts: string[] = [];
  for (const block of blocks) {
    if (block.kind === 'table' || block.kind === 'picture') return undefined;
    if (block.kind === 'text') texts.push(block.text);
  }
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}

/** All text of blocks, without their layout. */
export function textOfBlocks(blocks: readonly Block[], depth = 0): string {
  const texts = blocks.map((block): string => {
    if (block.kind === 'text') return block.text;
    if (block.kind !== 'table' || depth > maxNesting) return '';
    return block.rows.flatMap((row) => row.map((cell) => textOfBlocks(cell.blocks, depth + 1))).join(' ');
  });
  return texts.join(' ');
}
