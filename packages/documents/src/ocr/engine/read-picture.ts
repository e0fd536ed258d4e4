import type { GrayImage } from '../../image/gray-image.ts';
import type { Straightening } from '../../image/straighten.ts';
import type { OcrLanguage } from './ocr-language.ts';
import type { RecognizedWord } from './recognized-word.ts';

/** The words of a picture, on the straightened picture. */
export interface ReadImage {
  words: RecognizedWord[];
  /** The steps that straightened the picture. */
  straightening: Straightening;
  /** The straightened picture. */
  image: GrayImage;
  language: OcrLanguage;
}

/** The port of an OCR engine: it straightens a picture and reads its words. `likely` is the first guess of its language. */
export type ReadPicture = (image: GrayImage, likely: OcrLanguage | undefined) => Promise<ReadImage>;
