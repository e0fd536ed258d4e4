import { parentPort } from 'node:worker_threads';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import { failedAnswer, type FailedAnswer } from '../threads/failed-answer.ts';
import { isMemoryBelow } from '../threads/thread-memory.ts';
import { chooseEngine, type EngineChoice } from './choose-engine.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import { pageImage } from './page-image.ts';
import { readPageImage, type RecognizedPage } from './read-page-image.ts';
import { loadTesseract } from './tesseract/tesseract.ts';
import { isLayerWrong } from './word-sample.ts';

/** A request to recognise one page. */
export interface OcrRequest extends EngineChoice {
  /** The whole document. */
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  /** Page number, from 1. */
  pageNumber: number;
  likelyLanguage: OcrLanguage | undefined;
}

export type OcrAnswer = { type: 'done'; recognized: RecognizedPage; reusable: boolean } | FailedAnswer;

/** A thread with more memory than this is replaced, because WebAssembly never shrinks its memory. */
const maxReusableBytes = 500 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('ocr-worker.ts runs in a worker thread.');

port.on('message', (request: OcrRequest) => {
  void answer(request).then((message) => port.postMessage(message, []));
});

async function answer(request: OcrRequest): Promise<OcrAnswer> {
  const { bytes, mimeType, pageNumber, likelyLanguage } = request;
  try {
    const tesseract = await loadTesseract();
    const readPicture = await chooseEngine(tesseract, request);
    let image = await pageImage(tesseract, bytes, mimeType, pageNumber);
    if (image.sample && (await isLayerWrong(readPicture, image.sample))) {
      image = await pageImage(tesseract, bytes, mimeType, pageNumber, true);
    }
    const recognized = await readPageImage(readPicture, image, likelyLanguage);
    return { type: 'done', recognized, reusable: isMemoryBelow(maxReusableBytes) };
  } catch (error) {
    const message = 'This page could not be read. Scan it again, or save the document again, and upload that.';
    return failedAnswer(error, isMemoryBelow(maxReusableBytes), { code: 'damaged_page', message, reusable: false });
  }
}
