import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

const openOdf = async () => (await import('../parsers/odf/open-odf.ts')).openOdf;
const openImage = async () => (await import('../parsers/open-image.ts')).openImage;

/** Each reader is loaded with the first document of its kind. */
const readers: Readonly<Record<DocumentMimeType, () => Promise<DocumentReader>>> = {
  'application/pdf': async () => (await import('../pdf/open-pdf.ts')).openPdf,
  'image/png': openImage,
  'image/jpeg': openImage,
  'image/tiff': async () => (await import('../parsers/open-tiff.ts')).openTiff,
  'image/webp': openImage,
  'image/gif': openImage,
  'image/avif': openImage,
  'image/bmp': openImage,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('../parsers/word/open-docx.ts')).openDocx,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('../parsers/xlsx/open-xlsx.ts')).openXlsx,
  'text/csv': async () => (await import('../parsers/open-csv.ts')).openCsv,
  'text/plain': async () => (await import('../parsers/open-text.ts')).openText,
  'text/markdown': async () => (await import('../parsers/open-text.ts')).openText,
  'text/html': async () => (await import('../parsers/html/open-html.ts')).openHtml,
  'message/rfc822': async () => (await import('../parsers/mail/open-mail.ts')).openMail,
  'application/vnd.ms-outlook': async () => (await import('../parsers/mail/open-msg.ts')).openMsg,
  'application/pkcs7-mime': async () => (await import('../parsers/mail/open-enclosed.ts')).openSigned,
  'application/ms-tnef': async () => (await import('../parsers/mail/open-enclosed.ts')).openTnef,
  'multipart/related': async () => (await import('../parsers/mail/open-mhtml.ts')).openMhtml,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('../parsers/slides/open-pptx.ts')).openPptx,
  'application/rtf': async () => (await import('../parsers/rtf/open-rtf.ts')).openRtf,
  'application/vnd.oasis.opendocument.text': openOdf,
  'application/vnd.oasis.opendocument.spreadsheet': openOdf,
  'application/vnd.oasis.opendocument.presentation': openOdf,
  'application/zip': async () => (await import('../parsers/open-zip.ts')).openZip,
  'application/xml': async () => (await import('../parsers/data/open-data.ts')).openXml,
  'application/json': async () => (await import('../parsers/data/open-data.ts')).openJson,
};

export function readerOf(mimeType: DocumentMimeType): Promise<DocumentReader> {
  return readers[mimeType]();
}
