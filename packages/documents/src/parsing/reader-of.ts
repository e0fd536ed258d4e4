import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

const openImage = async () => (await import('../parsers/open-image.ts')).openImage;

/** Each reader is loaded with the first document of its kind. */
const readers: Readonly<Record<DocumentMimeType, () => Promise<DocumentReader>>> = {
  'application/pdf': async () => (await import('../pdf/open-pdf.ts')).openPdf,
  'image/png': openImage,
  'image/jpeg': openImage,
  'image/tiff': async () => (await import('../parsers/open-tiff.ts')).openTiff,
  'image/webp': openImage,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('../parsers/word/open-docx.ts')).openDocx,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('../parsers/xlsx/open-xlsx.ts')).openXlsx,
  'text/csv': async () => (await import('../parsers/open-csv.ts')).openCsv,
  'text/plain': async () => (await import('../parsers/open-text.ts')).openText,
  'text/markdown': async () => (await import('../parsers/open-text.ts')).openText,
  'text/html': async () => (await import('../parsers/html/open-html.ts')).openHtml,
  'message/rfc822': async () => (await import('../parsers/mail/open-mail.ts')).openMail,
};

export function readerOf(mimeType: DocumentMimeType): Promise<DocumentReader> {
  return readers[mimeType]();
}
