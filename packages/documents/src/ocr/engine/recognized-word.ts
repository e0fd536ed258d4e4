import type { RecognitionEngine } from '@docwright/contract';
import type { Box } from '../../page/box.ts';

/** A recognised word, in pixels of the picture. */
export interface RecognizedWord extends Box {
  text: string;
  /** 0–1. */
  confidence: number;
  engine: RecognitionEngine;
}
