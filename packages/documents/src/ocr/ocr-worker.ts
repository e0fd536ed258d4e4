import { parentPort } from 'node:worker_threads';
import { ParseFailure } from '../reader/parse-failure.ts';
import { chooseEngine } from './choose-engine.ts';
import type { OcrAnswer, OcrRequest } from './ocr-messages.ts';
import { pageImage } from './page-image.ts';
import { readPageImage } from './read-page-image.ts';
import { loadTesseract } from './tesseract/tesseract.ts';

/** A thread with more memory than this is replaced, because WebAssembly never shrinks its memory. */
const REUSABLE_BYTES = 500 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('ocr-worker.ts runs in a worker thread.');

port.on('message', (request: OcrRequest) => {
  void answer(request).then((message) => port.postMessage(message, []));
});

async function answer({
  bytes,
  mimeType,
  pageNumber,
  likelyLanguage,
  engine,
  modelsFolder,
}: OcrRequest): Promise<OcrAnswer> {
  try {
    const tesseract = await loadTesseract();
    const seen = await pageImage(tesseract, bytes, mimeType, pageNumber);
    const recognized = await readPageImage(
      await chooseEngine(tesseract, { engine, modelsFolder }),
      seen,
      likelyLanguage,
    );
    return { type: 'done', recognized, reusable: isReusable() };
  } catch (error) {
    if (error instanceof ParseFailure) {
      const reusable = error.code !== 'parse_out_of_memory' && isReusable();
      return { type: 'failed', code: error.code, message: error.message, reusable };
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const message = 'This page could not be read. Scan it again, or save the document again, and upload that.';
    return { type: 'failed', code: 'damaged_page', message, reason, reusable: false };
  }
}

function isReusable(): boolean {
  const { heapTotal, external, arrayBuffers } = process.memoryUsage();
  return heapTotal + external + arrayBuffers < REUSABLE_BYTES;
}
