/** What MongoDB allows, and drivers are told in the handshake. */
export const mostDocumentBytes = 16 * 1024 * 1024;
export const mostMessageBytes = 48_000_000;
export const mostWrites = 100_000;
/** Levels of documents and arrays inside a document. */
export const mostDepth = 200;
