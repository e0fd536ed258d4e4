/** One word as a reader sees it. Points, origin top left, of the page as displayed (after rotation and crop). */
export interface Word {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** 0–1, where the word was recognised rather than read. */
  confidence?: number;
}

export interface Page {
  /** Counts from 1. */
  page_num: number;
  /** Points, as displayed. */
  width: number;
  height: number;
  /** Rows as seen: columns of a table stay on one line with two or more spaces between them; columns of prose follow each other. */
  text: string;
  words: Word[];
  /** Characters left out because a reader cannot see them. */
  hidden_text: number;
  /** What there is to read on the page is not, or not all, in a text layer. */
  needs_ocr: boolean;
}
