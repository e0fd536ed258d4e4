import type { ReadPicture } from './engine/read-picture.ts';
import { confidenceOf } from './engine/reading-score.ts';
import { hasModels } from './ppocr/model-folder.ts';
import { openPpOcr, type PpOcr } from './ppocr/pp-ocr.ts';
import { readUnreadLines, readUnsureWords } from './read-unsure-words.ts';
import { readImage } from './tesseract/read-image.ts';
import type { Tesseract } from './tesseract/tesseract.ts';

/** `auto` reads with Tesseract, and reads unsure words again with PP-OCR if its models are installed. */
export const ocrEngines = ['auto', 'tesseract', 'ppocr'] as const;
/** The engine that recognises text. */
export type OcrEngine = (typeof ocrEngines)[number];

export interface EngineChoice {
  engine: OcrEngine;
  /** Folder of PP-OCR's models, see `docwright ocr-models install`. */
  modelsFolder?: string | undefined;
}

/** PP-OCR reads a page of less mean confidence as a whole, because Tesseract misses lines on such pages. */
const minPageConfidence = 0.7;

let opened: { folder: string; engine: Promise<PpOcr> } | undefined;

function ppOcrOf(folder: string): Promise<PpOcr> {
  if (opened?.folder !== folder) opened = { folder, engine: openPpOcr(folder) };
  return opened.engine;
}

/** The engine of this thread. Throws if PP-OCR is selected and its models are missing. */
export async function chooseEngine(tesseract: Tesseract, { engine, modelsFolder }: EngineChoice): Promise<ReadPicture> {
  const byTesseract: ReadPicture = async (image, likely) => await readImage(tesseract, image, likely);
  const folder = modelsFolder !== undefined && hasModels(modelsFolder) ? modelsFolder : undefined;
  if (engine === 'tesseract' || (engine === 'auto' && folder === undefined)) return byTesseract;
  if (folder === undefined) {
    const missing = modelsFolder ?? 'OCR_MODELS';
    throw new Error(`OCR_ENGINE=ppocr needs its models in ${missing}. Run: npx docwright ocr-models install`);
  }
  const opening = ppOcrOf(folder);
  // A library that does not run on this machine must not keep Tesseract from reading.
  const ppOcr = engine === 'auto' ? await opening.catch(() => undefined) : await opening;
  if (!ppOcr) return byTesseract;
  const { readPicture, readLine } = ppOcr;
  if (engine === 'ppocr') return readPicture;
  return async (image, likely) => {
    const first = await byTesseract(image, likely);
    if (confidenceOf(first.words) < minPageConfidence) return await readPicture(image, likely);
    const words = await readUnreadLines(first, readLine);
    return { ...first, words: await readUnsureWords({ ...first, words }, readLine) };
  };
}
