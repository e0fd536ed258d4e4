import { decodeText } from '../detect/decode-text.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { htmlLines } from './html-lines.ts';

/** A web page as the text that a browser shows. */
export const openHtml: DocumentReader = (bytes) => {
  const { lines, hiddenText } = htmlLines(decodeText(bytes));
  return Promise.resolve(gridDocument(lines, hiddenText));
};
