import { flowDocument } from '../../flow/flow-document.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { decodeHtml } from './decode-html.ts';
import { readHtml } from './read-html.ts';

/** A web page as the text that a browser shows. */
export const openHtml: DocumentReader = async (bytes) => {
  const { blocks, ...findings } = readHtml(decodeHtml(bytes));
  return flowDocument(blocks, findings);
};
