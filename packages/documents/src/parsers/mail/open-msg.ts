import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader';
import { gap, type Block } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { ContainedFile, DocumentReader } from '../../reader/document-reader.ts';
import { decodeHtml } from '../html/decode-html.ts';
import { readHtml } from '../html/read-html.ts';
import { plainBlocks, saysTheSame } from './mail-body.ts';
import { mailDocument } from './open-mail.ts';
import { richBody } from './rich-body.ts';

/** The package is CommonJS, whose default export is a property of the module. */
const MsgReader = MsgReaderModule.default;

/** A mail that Outlook saved. */
export const openMsg: DocumentReader = async (bytes) => {
  let reader = new MsgReader(bytes.slice().buffer);
  let mail = reader.getFileData();
  if ('error' in mail && mail.error) throw new Error('The file is no mail of Outlook.');
  const ansiEncoding = ansiEncodingOf(mail);
  if (ansiEncoding !== undefined) {
    reader = new MsgReader(bytes.slice().buffer);
    reader.parserConfig = { ansiEncoding };
    mail = reader.getFileData();
  }
  const attachments = (mail.attachments ?? []).map((fields) => ({ fields, ...reader.getAttachment(fields) }));
  const used = new Set<unknown>();
  const page = mail.html ? decodeHtml(mail.html, charsetOf(mail.internetCodepage)) : (mail.bodyHtml ?? '');
  const pictureOf = (address: string): Uint8Array | undefined => {
    const [, id] = /^cid:(.*)$/i.exec(address) ?? [];
    const found = attachments.find(({ fields }) => id !== undefined && fields.pidContentId === id);
    if (found) used.add(found.fields);
    return found?.content;
  };
  const read = readHtml(page, pictureOf);
  const plain = mail.body ?? '';
  const isPlain = page === '' || saysTheSame(plain, read.blocks);
  const rich = plain.trim() === '' && page === '' ? richBody(mail.compressedRtf, pictureOf) : undefined;
  const blocks: Block[] = rich
    ? rich.blocks
    : isPlain
      ? [...plainBlocks(plain.replace(/\r\n?/g, '\n')), gap, ...read.blocks.filter(({ kind }) => kind === 'picture')]
      : read.blocks;
  const unread: UnreadPart[] = rich?.unread ?? (isPlain ? [] : read.unread);
  if (plain.trim() === '' && page === '' && mail.compressedRtf && rich === undefined) {
    unread.push({
      kind: 'other',
      message:
        'The text of this mail is stored in a way that is not read. Open it in Outlook, save it as HTML and upload that.',
    });
  }
  const files = attachments
    .filter(({ fields }) => !used.has(fields))
    .map(({ fields, fileName, content }): ContainedFile => ({
      name: fileName || fields.name || 'attachment',
      bytes: content,
    }));
  const sender = { name: mail.senderName, smtpAddress: mail.senderSmtpAddress, email: mail.senderEmail };
  const recipients = (kind: string): string =>
    (mail.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === kind)
      .map((person) => personText(person))
      .join(', ');
  return mailDocument(
    [
      ['From', personText(sender, senderOf(mail.headers))],
      ['To', recipients('to')],
      ['Cc', recipients('cc')],
      ['Date', mail.clientSubmitTime ?? mail.messageDeliveryTime],
      ['Subject', mail.subject],
    ],
    { blocks, hiddenText: rich?.hiddenText ?? (isPlain ? 0 : read.hiddenText), unread },
    files,
  );
};

/** Windows' code pages of languages, in which mails are stored that are not in Unicode. */
const ansiCodePages = new Set([874, 932, 936, 949, 950, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258]);

/** The encoding of texts that are not in Unicode; undefined where it is the usual one. Texts in Unicode are read the same with it. */
function ansiEncodingOf({ messageCodepage, internetCodepage }: FieldsData): string | undefined {
  const codePage = [messageCodepage, internetCodepage].find((each) => each !== undefined && ansiCodePages.has(each));
  return codePage === undefined ? undefined : `cp${codePage}`;
}

function charsetOf(codepage: number | undefined): string | undefined {
  if (codepage === undefined) return undefined;
  return codepage === 65001 ? 'utf-8' : `cp${codepage}`;
}

/** The address of the sender in the lines that the mail was sent with. */
function senderOf(headers = ''): string | undefined {
  const lines = headers.slice(0, maxHeaders).replaceAll(/\r?\n[ \t]+/gu, ' ');
  const [, line] = /^From:(.*)$/imu.exec(lines) ?? [];
  return /[^\s<>",;:]+@[^\s<>",;:]+/u.exec(line ?? '')?.[0];
}

const maxHeaders = 100_000;

/** Name and address; addresses inside of one organization are no addresses of mail. */
function personText(
  { name, smtpAddress, email }: { [Key in 'name' | 'smtpAddress' | 'email']?: FieldsData[Key] | undefined },
  headerAddress?: string,
): string {
  const address = smtpAddress ?? (email?.includes('@') && !/^\/o=/iu.test(email) ? email : headerAddress);
  if (!name || name === address) return address ?? name ?? '';
  return address === undefined ? name : `${name} <${address}>`;
}
