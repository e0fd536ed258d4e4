/** MongoDB's limits. The handshake reports all but the last to drivers. */
export const maxDocumentBytes = 16 * 1024 * 1024;
export const maxMessageBytes = 48_000_000;
export const maxWriteBatchSize = 100_000;
/** Nesting of documents and arrays in a document, in levels. */
export const maxDepth = 200;
