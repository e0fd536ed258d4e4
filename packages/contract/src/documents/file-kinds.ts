/** The supported kinds of files by MIME type. The most common file extension comes first. */
export const fileKinds = {
  'application/pdf': { label: 'PDF', extensions: ['pdf'] },
  'image/png': { label: 'PNG', extensions: ['png'] },
  'image/jpeg': { label: 'JPEG', extensions: ['jpg', 'jpeg'] },
  'image/tiff': { label: 'TIFF', extensions: ['tif', 'tiff'] },
  'image/webp': { label: 'WebP', extensions: ['webp'] },
  'image/gif': { label: 'GIF', extensions: ['gif'] },
  'image/avif': { label: 'AVIF', extensions: ['avif'] },
  'image/bmp': { label: 'BMP', extensions: ['bmp'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    label: 'DOCX',
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    label: 'XLSX',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  },
  'text/csv': { label: 'CSV', extensions: ['csv', 'tsv'] },
  'text/plain': { label: 'TXT', extensions: ['txt', 'text', 'log'] },
  'text/markdown': { label: 'MD', extensions: ['md', 'markdown'] },
  'text/html': { label: 'HTML', extensions: ['html', 'htm', 'xhtml'] },
  'message/rfc822': { label: 'EML', extensions: ['eml'] },
  'application/vnd.ms-outlook': { label: 'MSG', extensions: ['msg'] },
  'application/pkcs7-mime': { label: 'P7M', extensions: ['p7m'] },
  'application/ms-tnef': { label: 'TNEF', extensions: ['tnef', 'dat'] },
  'multipart/related': { label: 'MHTML', extensions: ['mhtml', 'mht'] },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    label: 'PPTX',
    extensions: ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm'],
  },
  'application/rtf': { label: 'RTF', extensions: ['rtf'] },
  'application/vnd.oasis.opendocument.text': { label: 'ODT', extensions: ['odt'] },
  'application/vnd.oasis.opendocument.spreadsheet': { label: 'ODS', extensions: ['ods'] },
  'application/vnd.oasis.opendocument.presentation': { label: 'ODP', extensions: ['odp'] },
  'application/xml': { label: 'XML', extensions: ['xml'] },
  'application/zip': { label: 'ZIP', extensions: ['zip'] },
  'application/json': { label: 'JSON', extensions: ['json'] },
} as const satisfies Record<string, { label: string; extensions: readonly [string, ...string[]] }>;

/** The MIME type of a supported kind of file. */
export type FileKind = keyof typeof fileKinds;

/**
 * The MIME types of pictures: their pages are drawn, recognised and shown as they are.
 *
 * @example
 * import { pictureTypes } from '@docwright/contract';
 *
 * console.log(pictureTypes.includes('image/png')); // true
 */
export const pictureTypes: readonly FileKind[] = (Object.keys(fileKinds) as FileKind[]).filter((type) =>
  type.startsWith('image/'),
);

/** The extensions of a kind of file, the most common one first. None if the type is not supported. */
export function extensionsOf(mimeType: string): readonly string[] {
  return (fileKinds as Record<string, { extensions: readonly string[] }>)[mimeType]?.extensions ?? [];
}
