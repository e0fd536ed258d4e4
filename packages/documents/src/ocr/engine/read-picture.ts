import type { GrayImage } from '../../image/gray-image.ts';
import type { OcrLanguage } from './ocr-language.ts';
import type { RecognizedWord } from './recognized-word.ts';
import type { Straightening } from '../../image/straighten.ts';

/** The words in the straightened picture, and the steps that straightened it. */
export interface ReadImage {
  words: RecognizedWord[];
  straightening: Straightening;
  /** The straightened picture. */
  image: GrayImage;
  language: OcrLanguage;
}

/** What an engine of recognition does: it finds out how a picture lies, and reads its words. */
export type ReadPicture = (image: GrayImage, likely: OcrLanguage | undefined) => Promise<ReadImage>;
