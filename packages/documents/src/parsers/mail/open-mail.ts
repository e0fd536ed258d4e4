import { addressParser, type Address } from 'postal-mime';
import { decodeText } from '../../detect/decode-text.ts';
import { gap, textBlock, type Block } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { ContainedFile, DocumentReader, OpenedDocument } from '../../reader/document-reader.ts';
import { readMailBody, type MailBody } from './mail-body.ts';
import { decodeWords, mimeLeaves, parseMime, setWordsAside, type MimePart } from './mime-part.ts';

/** A mail: sender, recipients, date and subject, the body, and the names of attachments, which are documents of their own. */
export const openMail: DocumentReader = async (bytes) => {
  // A mail is ASCII with parts in other encodings. Only a mail saved as UTF-16 must be decoded as a whole.
  const isWide = bytes[0] === 0 || bytes[1] === 0 || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  const mail = parseMime(isWide ? Buffer.from(decodeText(bytes)) : bytes);
  const { headers } = mail;
  const body = readMailBody(mail);
  return mailDocument(
    [
      ['From', addresses(headers.get('from'))],
      ['To', addresses(headers.get('to'))],
      ['Cc', addresses(headers.get('cc'))],
      ['Date', headers.get('date')],
      ['Subject', decodeWords(headers.get('subject') ?? '')],
    ],
    body,
    attachmentsOf(mail, body),
  );
};

/** A mail as a document, whatever kind of file it came from. */
export function mailDocument(
  headers: readonly (readonly [name: string, value: string | undefined])[],
  { blocks, ...findings }: Omit<MailBody, 'used'>,
  files: ContainedFile[],
): OpenedDocument {
  const shown = headers.filter(([, value]) => value).map(([name, value]) => textBlock(`${name}: ${value}`));
  const list: Block[] =
    files.length === 0 ? [] : [textBlock('Attachments:'), ...files.map(({ name }) => textBlock(`- ${name}`))];
  return { ...flowDocument([...shown, gap, ...blocks, gap, ...list], findings), files };
}

/** Encloses the numbers of encoded words while addresses are split. It is in no name. */
const mark = '\u{e000}';

function addresses(header: string | undefined): string {
  if (header === undefined) return '';
  // The parser of addresses would decode the words too, and knows fewer encodings.
  const { text, words } = setWordsAside(header, mark);
  return addressParser(text)
    .flatMap((address: Address) => address.group ?? [address])
    .map(({ name, address }) => {
      const decoded = (name ?? '').replaceAll(/\u{e000}(\d+)\u{e000}/gu, (_, at: string) => words[Number(at)] ?? '');
      return decoded ? `${decoded} <${address ?? ''}>` : (address ?? '');
    })
    .join(', ');
}

/** Parts that are no files for people: signatures, and reports about the delivery. */
const machineParts =
  /^(?:application\/(?:pgp-signature|(?:x-)?pkcs7-signature)|text\/calendar|message\/(?:delivery-status|disposition-notification))$/;

function attachmentsOf(mail: MimePart, { used }: MailBody): ContainedFile[] {
  return mimeLeaves(mail)
    .filter((part) => !used.has(part) && part.content.length > 0 && !machineParts.test(part.type))
    .map((part, index) => ({ name: part.filename ?? nameOf(part, index + 1), bytes: part.content }));
}

const endings: Readonly<Record<string, string>> = { plain: 'txt', 'octet-stream': 'bin', jpeg: 'jpg', rfc822: 'eml' };

function nameOf({ type, content }: MimePart, position: number): string {
  const subject = type === 'message/rfc822' ? decodeWords(parseMime(content).headers.get('subject') ?? '').trim() : '';
  const [, kind = ''] = type.split('/');
  return `${subject.slice(0, 100) || `attachment-${position}`}.${endings[kind] ?? kind.replace(/[^a-z0-9]/g, '')}`;
}
