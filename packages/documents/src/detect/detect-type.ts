import { DomainError, fileKinds } from '@docwright/contract';
import { fileTypeFromBuffer } from 'file-type';
import { documentMimeTypes, type DocumentMimeType } from '../reader/document-mime-type.ts';
import { decodeText } from './decode-text.ts';

/** "PDF, PNG, … or EML". */
const acceptedFiles = new Intl.ListFormat('en', { type: 'disjunction' })
  .format(Object.values(fileKinds).map(({ label }) => label))
  .replace(', or ', ' or ');
/** PDF readers accept a header anywhere in the first kilobyte. */
const pdfHeaderBytes = 1024;
const textSampleBytes = 64 * 1024;
/** Signed content names its kind right after the lengths of its two containers. */
const signedStart = 32;
const signedKind = '\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02';
const tnefStart = '\x78\x9f\x3e\x22';

/**
 * Detects the type of a document from its bytes. The name only decides between kinds of plain text.
 *
 * @param bytes The whole file.
 * @param name The file name; only its extension is used.
 * @throws {DomainError} `empty_file`, `encrypted_office_file`, `legacy_office_file` or `unsupported_file_type`; the
 * message says what to do.
 *
 * @example
 * ```ts
 * import { detectType } from '@docwright/documents';
 *
 * const mimeType = await detectType(new TextEncoder().encode('a;b\n1;2\n3;4'), 'table');
 * console.log(mimeType); // 'text/csv'
 * ```
 */
export async function detectType(bytes: Uint8Array, name: string): Promise<DocumentMimeType> {
  if (bytes.length === 0) {
    throw new DomainError(
      'invalid',
      'empty_file',
      'The file is empty. Check that it was saved completely and upload it again.',
    );
  }
  const start = Buffer.from(bytes.subarray(0, signedStart)).toString('latin1');
  // A signed PDF is near enough to its start to count as a PDF.
  if (start.startsWith('0') && start.includes(signedKind)) return 'application/pkcs7-mime';
  if (start.startsWith(tnefStart)) return 'application/ms-tnef';
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, pdfHeaderBytes)).includes('%PDF-')) {
    return 'application/pdf';
  }
  const detected = await fileTypeFromBuffer(bytes);
  const accepted =
    documentMimeTypes.find((mimeType) => mimeType === detected?.mime) ?? variants.get(detected?.ext ?? '');
  // A web page can begin as XML does, and any text with the letters of a bitmap.
  const isSure = accepted !== 'application/xml' && (accepted !== 'image/bmp' || bytes.subarray(0, 54).includes(0));
  if (accepted && isSure) return accepted;
  if (detected?.ext === 'cfb') {
    if (contains(bytes, '__properties_version1.0')) return 'application/vnd.ms-outlook';
    throw compoundFileError(bytes);
  }
  const text = decodeText(bytes.subarray(0, textSampleBytes));
  if (isReadable(text)) return plainTextKind(text, name);
  // The headers of a mail are readable, also if its text is not.
  if (looksLikeMail(text.slice(0, 16 * 1024).trimStart())) return 'message/rfc822';
  if (detected?.ext === 'heic') throw new DomainError('unsupported_type', 'unsupported_file_type', heicMessage);
  throw new DomainError(
    'unsupported_type',
    'unsupported_file_type',
    `${detected ? `A ${detected.ext.toUpperCase()} file` : 'This file'} cannot be read as a document. Upload ${acceptedFiles}.`,
  );
}

const officeType = 'application/vnd.openxmlformats-officedocument';
/** Kinds of files that are read as others: pictures that move, and Office files with macros, which nothing runs, or as templates. */
const variants = new Map<string, DocumentMimeType>([
  ['apng', 'image/png'],
  ...['docm', 'dotx', 'dotm'].map((kind) => [kind, `${officeType}.wordprocessingml.document`] as const),
  ...['xlsm', 'xltx', 'xltm'].map((kind) => [kind, `${officeType}.spreadsheetml.sheet`] as const),
  ...['pptm', 'potx', 'potm', 'ppsx', 'ppsm'].map(
    (kind) => [kind, `${officeType}.presentationml.presentation`] as const,
  ),
]);

/** Its decoders have patents and licences that the product does not take on. */
const heicMessage =
  'A HEIC photo cannot be read as a document. Share it from the phone as JPEG, or open it on a computer and export it as JPEG or PNG, and upload that.';

/** Office wraps an encrypted DOCX or XLSX in the container of its formats before 2007. */
function compoundFileError(bytes: Uint8Array): DomainError {
  return contains(bytes, 'EncryptedPackage')
    ? new DomainError(
        'unsupported_type',
        'encrypted_office_file',
        'This Office file is protected with a password. Open it in Office, remove the password, save it and upload it again.',
      )
    : new DomainError('unsupported_type', 'legacy_office_file', legacyMessage(bytes));
}

/** Whether a file of Office before 2007 has a stream of this name. */
function contains(bytes: Uint8Array, streamName: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(streamName, 0, 'utf16le');
}

function legacyMessage(bytes: Uint8Array): string {
  const [program, kind, current] = contains(bytes, 'WordDocument')
    ? ['Word', '.doc', 'DOCX']
    : contains(bytes, 'Workbook') || contains(bytes, 'Book')
      ? ['Excel', '.xls', 'XLSX']
      : contains(bytes, 'PowerPoint Document')
        ? ['PowerPoint', '.ppt', 'PPTX']
        : ['Office', '.doc, .xls, .ppt', 'DOCX, XLSX or PPTX'];
  return `This is a file of ${program} before 2007 (${kind}). Open it, choose “Save as” and ${current}, or PDF, and upload that.`;
}

/** Text has almost no control or replacement characters; binary data is full of them. */
function isReadable(text: string): boolean {
  let unreadable = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isLayout = (code >= 0x09 && code <= 0x0d) || code === 0x1a || code === 0x1b;
    if ((code < 0x20 && !isLayout) || code === 0x7f || code === 0xfffd) unreadable += 1;
  }
  return text.trim().length > 0 && unreadable <= text.length * 0.005;
}

/** The kinds of plain text that a name decides between. */
const textKinds = documentMimeTypes.filter(
  (mimeType) => mimeType.startsWith('text/') || /\/(?:xml|json|related|pkcs7-mime)$/.test(mimeType),
);
const kindOfExtension = new Map<string, DocumentMimeType>(
  textKinds.flatMap((mimeType) => fileKinds[mimeType].extensions.map((extension) => [extension, mimeType])),
);

const mailHeader =
  /^(?:from|to|cc|subject|date|received|return-path|delivered-to|message-id|mime-version|content-type|reply-to|x-[a-z-]+):/i;
const htmlStart = /^(?:<\?xml[^>]*\?>)?\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/** Decides the kind of plain text: by the text itself first, otherwise by the file name. */
function plainTextKind(text: string, name: string): DocumentMimeType {
  const start = text.slice(0, 16 * 1024).trimStart();
  if (htmlStart.test(start)) return 'text/html';
  if (start.startsWith('<?xml')) return 'application/xml';
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (looksLikeMail(start)) return isSavedPage(start, extension) ? 'multipart/related' : 'message/rfc822';
  return kindOfExtension.get(extension) ?? (looksLikeTable(start) ? 'text/csv' : 'text/plain');
}

/** A browser saves a page in the form of an unsent mail. */
function isSavedPage(start: string, extension: string): boolean {
  return (
    /^mht(?:ml)?$/.test(extension) || /^snapshot-content-location:|^from: <saved by /im.test(start.split('\n\n', 1)[0]!)
  );
}

/** A mail starts with header lines, at least two of which occur in every mail. A calendar and a card have lines of that form too. */
function looksLikeMail(start: string): boolean {
  if (/^begin:/iu.test(start)) return false;
  const [head = ''] = start.replace(/^From .*\n/, '').split('\n\n', 1);
  const lines = head.split('\n').filter((line) => !/^[ \t]/.test(line));
  if (lines.length === 0 || !lines.slice(0, -1).every((line) => /^[!-9;-~]+:/.test(line))) return false;
  const known = new Set(lines.filter((line) => mailHeader.test(line)).map((line) => line.split(':', 1)[0]));
  return known.size >= 2;
}

/** Three lines or more, each with the same number of one delimiter. */
function looksLikeTable(start: string): boolean {
  const lines = start.split('\n').slice(0, 20).filter(Boolean);
  const whole = start.includes('\n') ? lines.slice(0, Math.max(3, lines.length - 1)) : lines;
  if (whole.length < 3) return false;
  return [',', ';', '\t', '|'].some((delimiter) => {
    const counts = whole.map((line) => line.split(delimiter).length - 1);
    const [first = 0] = counts;
    return first > 0 && counts.every((count) => count === first) && (first > 1 || delimiter !== ',');
  });
}
