/** MongoDB's limits. The handshake reports them to drivers. */
export const maxDocumentBytes = 16 * 1024 * 1024;
export const maxMessageBytes = 48_000_000;
export const maxWrites = 100_000;
/** Levels of documents and arrays inside a document. */
export const maxDepth = 200;
