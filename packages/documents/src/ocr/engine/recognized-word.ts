/** A recognised word, in pixels of the picture. */
export interface RecognizedWord {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** 0–1 */
  confidence: number;
}
