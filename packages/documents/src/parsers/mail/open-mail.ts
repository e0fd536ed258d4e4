import { addressParser, type Address } from 'postal-mime';
import { decodeText } from '../../detect/decode-text.ts';
import { gap, textBlock, type Block } from '../../flow/block.ts';
import { textOfBlocks } from '../../flow/block-lines.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { ContainedFile, DocumentReader, OpenedDocument } from '../../reader/document-reader.ts';
import { readMailBody, saysTheSame, type MailBody } from './mail-body.ts';
import { decodeWords, setWordsAside } from './mail-headers.ts';
import { mimeLeaves, parseMime, type MimePart } from './mime-part.ts';
import { isTnef } from './tnef.ts';
import { contentOfTnef } from './tnef-body.ts';

/** A mail: sender, recipients, date and subject, the body, and the names of attachments, which are documents of their own. */
export const openMail: DocumentReader = async (bytes) => {
  // A mail is ASCII with parts in other encodings. Only a mail saved as UTF-16 must be decoded as a whole.
  const isWide = bytes[0] === 0 || bytes[1] === 0 || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  const whole = isWide ? Buffer.from(decodeText(bytes)) : bytes;
  const mails = mailsOf(Buffer.from(whole.buffer, whole.byteOffset, whole.length));
  if (mails.length > 1) return mailboxDocument(mails);
  const mail = parseMime(whole);
  const { headers } = mail;
  const body = readMailBody(mail);
  const outlook = mimeLeaves(mail)
    .filter(({ content }) => isTnef(content))
    .map((part) => ({ part, ...contentOfTnef(part.content) }));
  const ownText = textOfBlocks(body.blocks);
  for (const { blocks, hiddenText, unread } of outlook) {
    // Most mails say the same beside it. Others have only a note there, such as that of a virus scanner.
    const isSaid = saysTheSame(ownText, blocks);
    body.blocks.push(...(isSaid ? blocks.filter(({ kind }) => kind === 'picture') : blocks), gap);
    if (isSaid) continue;
    body.hiddenText += hiddenText;
    body.unread.push(...unread);
  }
  const filesOf = new Map(outlook.map(({ part, files }) => [part, files]));
  return mailDocument(
    [
      ['From', addresses(headers.get('from'))],
      ['To', addresses(headers.get('to'))],
      ['Cc', addresses(headers.get('cc'))],
      ['Date', headers.get('date')],
      ['Subject', decodeWords(headers.get('subject') ?? '')],
    ],
    body,
    attachmentsOf(mail, body, filesOf),
  );
};

/** The mails of a mailbox file, each of which begins with a line `From …` behind an empty one; one for another file. */
function mailsOf(file: Buffer): Buffer[] {
  const begin = 'From ';
  if (!file.subarray(0, begin.length).equals(Buffer.from(begin))) return [file];
  const starts = [0];
  for (let at = file.indexOf(`\n${begin}`); at !== -1; at = file.indexOf(`\n${begin}`, at + 1)) {
    const isBehindEmptyLine = /\n\r?$/.test(file.toString('latin1', Math.max(0, at - 2), at));
    const lines = file.toString('latin1', at + 1, at + 1 + maxEnvelope).split('\n');
    if (isBehindEmptyLine && /^[!-9;-~]+:/.test(lines[1] ?? '')) starts.push(at + 1);
    if (starts.length > maxMails) break;
  }
  return starts.map((start, index) => file.subarray(start, starts[index + 1]));
}

const maxEnvelope = 2_000;
const maxMails = 10_000;

/** A mailbox: the list of its mails, each of which is a document of its own. */
function mailboxDocument(mails: readonly Buffer[]): OpenedDocument {
  const named = mails.map((bytes, index) => {
    const subject = decodeWords(parseMime(bytes.subarray(0, maxHeaders)).headers.get('subject') ?? '').trim();
    // A line of the text that begins with that word has a mark before it.
    return { name: `${subject.slice(0, 100) || `mail-${index + 1}`}.eml`, bytes: unmarked(bytes) };
  });
  return { ...flowDocument([textBlock('Mails:'), ...named.map(({ name }) => textBlock(`- ${name}`))]), files: named };
}

const maxHeaders = 64 * 1024;

function unmarked(mail: Buffer): Uint8Array {
  return mail.includes('\n>From ')
    ? Buffer.from(mail.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1')
    : mail;
}

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

/** Parts that are no files for people. */
const machineParts = /^(?:application\/(?:pgp-signature|(?:x-)?pkcs7-signature)|text\/calendar)$/;

function attachmentsOf(
  mail: MimePart,
  { used }: MailBody,
  filesOf: ReadonlyMap<MimePart, ContainedFile[]>,
): ContainedFile[] {
  return mimeLeaves(mail)
    .filter((part) => !used.has(part) && part.content.length > 0 && !machineParts.test(part.type))
    .flatMap(
      (part, index) => filesOf.get(part) ?? [{ name: part.filename ?? nameOf(part, index + 1), bytes: part.content }],
    );
}

const endings: Readonly<Record<string, string>> = {
  plain: 'txt',
  'octet-stream': 'bin',
  jpeg: 'jpg',
  rfc822: 'eml',
  'rfc822-headers': 'txt',
};

function nameOf({ type, content }: MimePart, position: number): string {
  const subject = type === 'message/rfc822' ? decodeWords(parseMime(content).headers.get('subject') ?? '').trim() : '';
  const [, kind = ''] = type.split('/');
  return `${subject.slice(0, 100) || `attachment-${position}`}.${endings[kind] ?? kind.replace(/[^a-z0-9]/g, '')}`;
}
