import type { RecognitionEngine } from '@docwright/contract';
import type { Quarters } from '../../image/gray-image.ts';
import type { Box } from '../../page/box.ts';

/** A recognised word, in pixels of the picture. */
export interface RecognizedWord extends Box {
  text: string;
  /** 0–1. */
  confidence: number;
  engine: RecognitionEngine;
  /** Of a word that is not upright on the straightened picture: the quarter turns that make it so. */
  quarters?: Quarters;
}
