import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { ParseErrorCode } from '../reader/parse-failure.ts';
import type { OcrEngine } from './choose-engine.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import type { RecognizedPage } from './read-page-image.ts';

/** A request to recognise one page. `bytes` is the whole document. */
export interface OcrRequest {
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  pageNumber: number;
  likelyLanguage: OcrLanguage | undefined;
  engine: OcrEngine;
  modelsFolder: string | undefined;
}

/** `reusable`: the thread can take another job. */
export type OcrAnswer =
  | { type: 'done'; recognized: RecognizedPage; reusable: boolean }
  | { type: 'failed'; code: ParseErrorCode; message: string; reason?: string; reusable: boolean };
