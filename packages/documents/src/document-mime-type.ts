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

/** The MIME types of the supported kinds of document. */
export type DocumentMimeType = (typeof documentMimeTypes)[number];
