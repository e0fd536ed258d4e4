/** What MongoDB allows, and drivers are told in the handshake. */
export const maxDocumentBytes = 16 * 1024 * 1024;
export const maxMessageBytes = 48_000_000;
export const maxWrites = 100_000;
/** Levels of documents and arrays inside a document. */
export const maxDepth = 200;
