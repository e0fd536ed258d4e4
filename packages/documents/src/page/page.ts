import type { PageTable } from './page-table.ts';

/** One visible word. Coordinates are points of the page as displayed (after rotation and crop), origin top left. */
export interface Word {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** 0–1 for a word recognised by OCR; absent for a word of a text layer. */
  confidence?: number;
}

export interface Page {
  /** Page number, from 1. */
  page_num: number;
  /** Points, as displayed. */
  width: number;
  height: number;
  /**
   * Rows as displayed. The cells of a table row are on one line with two or more spaces between them. A box of a form is
   * `caption: value`. Columns of prose follow each other.
   */
  text: string;
  words: Word[];
  /** Tables and forms, from the top. Absent if the page was not searched for them. */
  tables?: PageTable[];
  /** Number of characters left out because a reader cannot see them. */
  hidden_text: number;
  /** True when part or all of the readable content is not in a text layer. */
  needs_ocr: boolean;
}
