import { createHash } from 'node:crypto';
import { DomainError, type ImapConfig } from '@docwright/contract';
import {
  defaultParseLimits,
  detectType,
  parseInBackground,
  type DocumentMimeType,
  type MailFile,
} from '@docwright/documents';
import type { TakenFile } from './connector.ts';
import type { ReadMail } from './mail-reader.ts';

type Limits = Pick<ImapConfig, 'max_files' | 'max_mb' | 'parts'>;

/** Smaller pictures inside of a mail's text are logos and signatures. */
const minPictureBytes = 10_000;
const maxDepth = 3;
const maxTextLength = 500;
/** More than `max_files` can be, with the logos and signatures that are left out. */
const maxFiles = 2_000;
/** Parts that programs add, and that no person reads. */
const programParts =
  /^(?:application\/(?:(?:x-)?pkcs7-signature|pgp-(?:signature|keys))|text\/(?:calendar|vcard|x-vcard))$/u;
/** Kinds of files that bring others. */
const containers: ReadonlySet<string> = new Set(['application/zip', 'application/pkcs7-mime', 'application/ms-tnef']);
const mailType = 'message/rfc822';

/** The parts of a mail that become documents: its attachments, those of mails and archives in it, the mail itself. */
export async function filesOfMail(source: Uint8Array, limits: Limits, readMail: ReadMail): Promise<TakenFile[]> {
  const mail = await readMail({ bytes: source, maxFiles });
  const id = mail.messageId ?? createHash('sha256').update(source).digest('hex');
  const { name = '', address = '' } = mail.from ?? {};
  const metadata = {
    sender: cut(name === '' ? address : `${name} <${address}>`),
    subject: cut(mail.subject),
    ...(mail.date !== undefined && { date: cut(mail.date) }),
    ...(mail.messageId !== undefined && { message_id: cut(mail.messageId) }),
  };
  const files: TakenFile[] = [];
  let left = limits.max_mb * 1024 * 1024;
  let isFull = false;

  const baseOf = (name: string, part: string) => ({
    name,
    part,
    sameAs: JSON.stringify(['mail', id, part]),
    metadata,
  });

  function add(fileName: string, bytes: Uint8Array, part: string, includesAttachments: boolean): void {
    if (isFull) return;
    isFull = files.length >= limits.max_files || bytes.byteLength > left;
    const base = baseOf(fileName, part);
    if (isFull) return leaveOut(base);
    left -= bytes.byteLength;
    files.push({ ...base, bytes, includesAttachments });
  }

  function leaveOut(file: Pick<TakenFile, 'name' | 'part' | 'sameAs' | 'metadata'>): void {
    const message = `The mail brings more than ${limits.max_files} files or ${limits.max_mb} MB. The rest is left out; raise max_files or max_mb.`;
    files.push({
      ...file,
      bytes: new Uint8Array(),
      problem: new DomainError('too_large', 'file_too_large', message),
    });
  }

  async function open(fileName: string, type: string, bytes: Uint8Array, part: string, depth: number): Promise<void> {
    try {
      await take(fileName, type, bytes, part, depth);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // Reading would open an archive that brings more than a mail may.
      if ('code' in error && error.code === 'document_too_large') leaveOut(baseOf(fileName, part));
      // An archive that cannot be opened gets its own error when it is read.
      else add(fileName, bytes, part, true);
    }
  }

  async function take(fileName: string, type: string, bytes: Uint8Array, part: string, depth: number): Promise<void> {
    const detected = await detectType(bytes, fileName).catch(() => type);
    const isMail = type === mailType || detected === mailType;
    if (isMail && depth < maxDepth) {
      add(fileName, bytes, part, false);
      return await addAttachments(bytes, part, depth + 1);
    }
    if (!containers.has(detected) || depth >= maxDepth) return add(fileName, bytes, part, true);
    const inside: { name: string; bytes: Uint8Array }[] = [];
    await parseInBackground({
      bytes,
      mimeType: detected as DocumentMimeType,
      limits: { ...defaultParseLimits, files: limits.max_files + 1, unpackedBytes: left },
      onFile: (file, index) => void (inside[index] = file),
    });
    for (const [index, file] of inside.entries()) {
      const inner = file.name.slice(file.name.lastIndexOf('/') + 1);
      await open(inner, '', file.bytes, `${part}.${index + 1}`, depth + 1);
    }
  }

  async function addAttachments(bytes: Uint8Array, prefix: string, depth: number): Promise<void> {
    const { files: inside } = depth === 0 ? mail : await readMail({ bytes, maxFiles });
    for (const [index, file] of inside.entries()) {
      const { mimeType, bytes: content } = file;
      if (programParts.test(mimeType) || isSmallPicture(file)) continue;
      const part = [...(prefix === '' ? [] : [prefix]), index + 1].join('.');
      const isMail = mimeType === mailType;
      const fileName = file.name ?? (isMail ? `${part}.eml` : `attachment ${part}`);
      await open(fileName, mimeType, content, part, depth);
    }
  }

  if (limits.parts !== 'attachments') add(`${mail.subject.slice(0, 100) || 'Mail'}.eml`, source, '0', false);
  if (limits.parts !== 'mail') await addAttachments(source, '', 0);
  return files;
}

function isSmallPicture({ mimeType, isInline, bytes }: MailFile): boolean {
  return isInline && mimeType.startsWith('image/') && bytes.byteLength < minPictureBytes;
}

const cut = (text: string): string => text.slice(0, maxTextLength);
