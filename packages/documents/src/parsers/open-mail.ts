import PostalMime, { type Address } from 'postal-mime';
import { decodeText } from '../detect/decode-text.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import { wrapLines } from '../grid/wrap-lines.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { htmlLines } from './html-lines.ts';

/** A mail: sender, recipients, date and subject, then the body, then the names of the attachments. */
export const openMail: DocumentReader = async (bytes) => {
  // A mail is ASCII with parts in other encodings. Only a mail saved as UTF-16 must be decoded as a whole.
  const isWide = bytes[0] === 0 || bytes[1] === 0 || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  const mail = await PostalMime.parse(isWide ? decodeText(bytes) : bytes);
  const headers: readonly (readonly [string, string | undefined])[] = [
    ['From', addressText(mail.from ? [mail.from] : [])],
    ['To', addressText(mail.to)],
    ['Cc', addressText(mail.cc)],
    ['Date', mail.headers.find((header) => header.key === 'date')?.value],
    ['Subject', mail.subject],
  ];
  const body = mail.text ? { lines: wrapLines(mail.text), hiddenText: 0 } : htmlLines(mail.html ?? '');
  const attachments = mail.attachments.map((attachment) => attachment.filename ?? attachment.mimeType);
  const lines = [
    ...headers.filter(([, value]) => value).flatMap(([name, value]) => wrapLines(`${name}: ${value}`)),
    '',
    ...body.lines,
    ...(attachments.length > 0 ? ['', 'Attachments:', ...attachments.map((name) => `- ${name}`)] : []),
  ];
  return gridDocument(lines, body.hiddenText);
};

function addressText(addresses: readonly Address[] | undefined): string {
  return (addresses ?? [])
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? '')))
    .join(', ');
}
