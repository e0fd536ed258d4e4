import type { Box } from './box.ts';

/** A cell with its place in a table, from 0. */
export interface CellPlace {
  row: number;
  column: number;
  row_span: number;
  column_span: number;
}

export interface PageCell extends CellPlace {
  text: string;
  /** The printed caption of a form's box; `text` is its value. */
  caption?: string;
}

/**
 * A table of a page. `ruled` has printed lines, `aligned` only columns of words, `form` is a grid of boxes each with its
 * caption. The box is in points as displayed.
 */
export interface PageTable extends Box {
  kind: 'ruled' | 'aligned' | 'form';
  rows: number;
  columns: number;
  /** Cells with text, row by row. */
  cells: PageCell[];
}
