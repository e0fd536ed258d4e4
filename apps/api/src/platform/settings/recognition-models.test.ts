import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { requireModels } from './recognition-models.ts';

it('rejects PP-OCR alone without its models, and names the command that installs them', () => {
  const folder = `${tmpdir()}/no-models-here`;
  const start = (engine: string) => () => requireModels(readSettings({ OCR_ENGINE: engine, OCR_MODELS: folder }).ocr);
  expect(start('ppocr')).toThrow(/no-models-here: run npx docwright ocr-models install/u);
  expect(start('auto')).not.toThrow();
  expect(start('tesseract')).not.toThrow();
});
