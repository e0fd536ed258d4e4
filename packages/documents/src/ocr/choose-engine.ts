import { openPpOcr } from './ppocr/pp-ocr.ts';
import { hasModels } from './ppocr/model-folder.ts';
import { readImage } from './read-image.ts';
import type { ReadPicture } from './read-picture.ts';
import { confidenceOf } from './reading-score.ts';
import type { Tesseract } from './tesseract.ts';

/** `auto` reads with Tesseract, and again with PP-OCR what Tesseract is unsure of, where its models are installed. */
export const ocrEngines = ['auto', 'tesseract', 'ppocr'] as const;
export type OcrEngine = (typeof ocrEngines)[number];

interface EngineChoice {
  engine: OcrEngine;
  /** Folder of PP-OCR's models, see `docwright ocr-models install`. */
  modelsFolder?: string | undefined;
}

/**
 * Mean confidence of Tesseract's characters below which PP-OCR reads the page instead. Measured on scanned pages: as many values
 * are found as with PP-OCR everywhere, and a third of the pages are read twice.
 */
const UNSURE = 0.84;

let opened: { folder: string; reader: Promise<ReadPicture> } | undefined;

function ppOcrOf(folder: string): Promise<ReadPicture> {
  if (opened?.folder !== folder) opened = { folder, reader: openPpOcr(folder) };
  return opened.reader;
}

/** The engine of this thread. Throws where PP-OCR is asked for and its models are missing. */
export async function chooseEngine(tesseract: Tesseract, { engine, modelsFolder }: EngineChoice): Promise<ReadPicture> {
  const byTesseract: ReadPicture = async (image, likely) => await readImage(tesseract, image, likely);
  const folder = modelsFolder !== undefined && hasModels(modelsFolder) ? modelsFolder : undefined;
  if (engine === 'tesseract' || (engine === 'auto' && folder === undefined)) return byTesseract;
  if (folder === undefined) {
    const wanted = modelsFolder ?? 'OCR_MODELS';
    throw new Error(`OCR_ENGINE=ppocr needs its models in ${wanted}. Run: npx docwright ocr-models install`);
  }
  const byPpOcr = await ppOcrOf(folder);
  if (engine === 'ppocr') return byPpOcr;
  return async (image, likely) => {
    const first = await byTesseract(image, likely);
    return confidenceOf(first.words) >= UNSURE ? first : await byPpOcr(image, likely);
  };
}
