import { hasOcrModels } from '@docwright/documents';
import { SettingsError, type Settings } from './settings.ts';

/** OCR_ENGINE=ppocr without its models would fail every scan: the start fails instead. */
export function requireModels({ engine, modelsFolder }: Settings['ocr']): void {
  if (engine !== 'ppocr' || hasOcrModels(modelsFolder)) return;
  throw new SettingsError(
    `OCR_ENGINE=ppocr needs its models in ${modelsFolder}: run npx docwright ocr-models install, or set OCR_ENGINE to auto or tesseract.`,
  );
}
