import type { MachineData, RecognitionEngine, SignatureField } from '@docwright/contract';
import type { Box } from './box.ts';
import type { PageTable } from './page-table.ts';
import type { ReadBy, UnreadPart } from './unread.ts';

/** One visible word. Coordinates are points of the page as displayed (after rotation and crop), origin top left. */
export interface Word extends Box {
  text: string;
  /** 0–1 for a word recognised by OCR; absent for a word of a text layer. */
  confidence?: number;
  /** The engine that recognised it: equal confidences of two engines do not mean the same. Absent in pages of earlier versions. */
  engine?: RecognitionEngine;
  /** The number stored in a cell of a workbook, at its first word, where the cell shows it differently. */
  raw?: string;
}

/** One page of a document: its text for models, and its words with their positions for highlights. */
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
  /** In the order of `text`. */
  words: Word[];
  /** Tables and forms, from the top. Absent if the page was not searched for them. */
  tables?: PageTable[];
  /** Number of characters that were left out because a reader cannot see them. */
  hidden_text: number;
  /** Whether part or all of the readable content is not in a text layer. */
  needs_ocr: boolean;
  /** Absent for a page that still waits for its recognition. */
  read_by?: ReadBy;
  /** What could not be read on this page; absent if nothing. `listUnread` bounds the list. */
  unread?: UnreadPart[];
  /** The machine-readable data of this page: codes, and the lines of passports. Absent if none. */
  machine_data?: MachineData[];
  /** The fields for signatures on this page. Absent if there is none. */
  signatures?: Pick<SignatureField, 'box' | 'signed'>[];
}
