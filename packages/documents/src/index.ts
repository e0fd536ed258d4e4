export { detectType } from './detect/detect-type.ts';
export { canDraw, drawPage, type DrawInput } from './drawing/draw-page.ts';
export type { PagePicture } from './drawing/page-picture.ts';
export { groundResult } from './grounding/ground-result.ts';
export type { Grounding, GroundingBox } from './grounding/grounding.ts';
export { locateText } from './grounding/locate-text.ts';
export type { Mail, MailFile } from './mail/mail-worker.ts';
export { readMail } from './mail/read-mail.ts';
export { ocrEngines, type OcrEngine } from './ocr/choose-engine.ts';
export type { OcrLanguage } from './ocr/engine/ocr-language.ts';
export {
  agreesWithEmbedded,
  embeddedValues,
  typesOfField,
  type EmbeddedValues,
} from './machine-data/embedded-values.ts';
export { hasModels as hasOcrModels } from './ocr/ppocr/model-folder.ts';
export type { RecognizedPage } from './ocr/read-page-image.ts';
export { recognitionConcurrency, recognizePage, type RecognizeInput } from './ocr/recognize-page.ts';
export type { PageCell, PageTable } from './page/page-table.ts';
export type { Page, Word } from './page/page.ts';
export { listUnread } from './page/unread.ts';
export { parseDocument, parseInBackground, type ParsedDocument, type ParseInput } from './parsing/parse-document.ts';
export { documentMimeTypes, type DocumentMimeType } from './reader/document-mime-type.ts';
export type { ContainedFile } from './reader/document-reader.ts';
export { ParseError } from './reader/parse-error.ts';
export type { ParseErrorCode } from './reader/parse-failure.ts';
export { defaultParseLimits, type ParseLimits } from './reader/parse-limits.ts';
export { canSplit, extractPages, unlockPdf } from './split/extract-pages.ts';
