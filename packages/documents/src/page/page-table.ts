import type { Box } from './box.ts';

/** A cell with its place in a table, from 0. */
export interface CellPlace {
  row: number;
  column: number;
  row_span: number;
  column_span: number;
}

/** A cell of a table with its text. */
export interface PageCell extends CellPlace {
  text: string;
  /** The printed caption of a form's box; `text` is its value. */
  caption?: string;
}

/** A table or a form of a page. Its box is in points as displayed. */
export interface PageTable extends Box {
  /** `ruled` has printed lines, `aligned` has columns of words alone, `form` is a grid of boxes with captions. */
  kind: 'ruled' | 'aligned' | 'form';
  rows: number;
  columns: number;
  /** Cells with text, row by row. */
  cells: PageCell[];
}
