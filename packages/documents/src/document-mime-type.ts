export const documentMimeTypes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/webp',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
  'text/plain',
  'text/markdown',
  'text/html',
  'message/rfc822',
] as const;

/** The kinds of file that a document may be. */
export type DocumentMimeType = (typeof documentMimeTypes)[number];
