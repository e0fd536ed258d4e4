import { flowDocument } from '../../flow/flow-document.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { readMailBody } from './mail-body.ts';
import { parseMime } from './mime-part.ts';

/** A web page that a browser saved with its pictures. Other pages inside of it, such as those of frames, follow. */
export const openMhtml: DocumentReader = async (bytes) => {
  const { blocks, ...findings } = readMailBody(parseMime(bytes));
  return flowDocument(blocks, findings);
};
