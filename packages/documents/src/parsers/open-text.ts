import { decodeText } from '../detect/decode-text.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import { wrapLines } from '../grid/wrap-lines.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

/** Plain text and Markdown, as written. */
export const openText: DocumentReader = (bytes) => Promise.resolve(gridDocument(wrapLines(decodeText(bytes))));
