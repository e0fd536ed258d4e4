import { fileKinds, type FileKind } from '@docwright/contract';

/** The MIME types of the supported kinds of document. */
export type DocumentMimeType = FileKind;

/** All supported MIME types. */
export const documentMimeTypes = Object.keys(fileKinds) as DocumentMimeType[];
