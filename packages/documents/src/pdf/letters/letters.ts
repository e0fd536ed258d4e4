import type { ReadingDirection } from '../../page/reading-direction.ts';

/** What the letters of a text object share. */
export interface LetterStyle {
  /** Height of the font in points. */
  size: number;
  direction: ReadingDirection | undefined;
  /** Whether the letters are upright below each other, in vertical writing. */
  isUprightDown: boolean;
}

/** The letters of a page in columns of numbers, in the order in which PDFium returns them. */
export interface Letters {
  count: number;
  code: Uint32Array;
  /** The letters as a string of the same length, with a question mark for each one beyond Latin-1. */
  latin: string;
  x0: Float32Array;
  y0: Float32Array;
  x1: Float32Array;
  y1: Float32Array;
  /** Index into `styles`; negative (`noStyle`) for spaces and line ends that PDFium generated. */
  style: Int32Array;
  styles: readonly LetterStyle[];
}
