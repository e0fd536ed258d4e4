export { detectType } from './detect/detect-type.ts';
export { documentMimeTypes, type DocumentMimeType } from './document-mime-type.ts';
export { groundResult } from './grounding/ground-result.ts';
export type { Grounding, GroundingBox } from './grounding/grounding.ts';
export type { Page, Word } from './page.ts';
export { parseDocument, type ParsedDocument, type ParseInput } from './parse-document.ts';
export { ParseError } from './parse-error.ts';
export type { ParseErrorCode } from './parse-failure.ts';
export { defaultParseLimits, type ParseLimits } from './parse-limits.ts';
