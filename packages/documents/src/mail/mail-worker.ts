import { parentPort } from 'node:worker_threads';
import PostalMime, { type Attachment } from 'postal-mime';
import { failedAnswer, type FailedAnswer } from '../threads/failed-answer.ts';
import { isMemoryBelow } from '../threads/thread-memory.ts';

/** A file that a mail brings. */
export interface MailFile {
  name: string | undefined;
  mimeType: string;
  /** Whether it is shown within the text, such as a logo. */
  isInline: boolean;
  bytes: Uint8Array;
}

/** A mail without its text. */
export interface Mail {
  from: { name: string; address: string } | undefined;
  subject: string;
  date: string | undefined;
  messageId: string | undefined;
  files: MailFile[];
}

export interface MailRequest {
  bytes: Uint8Array;
  /** Files beyond this number are left out. */
  maxFiles: number;
}

export type MailAnswer = { type: 'done'; mail: Mail; reusable: boolean } | FailedAnswer;

const maxReusableBytes = 400 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('mail-worker.ts runs in a worker thread.');

port.on('message', (request: MailRequest) => void reply(request));

async function reply(request: MailRequest): Promise<void> {
  const message = await answer(request);
  const buffers = message.type === 'done' ? message.mail.files.map(({ bytes }) => bytes.buffer) : [];
  port?.postMessage(message, buffers as ArrayBuffer[]);
}

async function answer({ bytes, maxFiles }: MailRequest): Promise<MailAnswer> {
  try {
    const {
      from,
      subject = '',
      date,
      messageId,
      attachments,
    } = await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
    });
    const mail = {
      from: from && { name: from.name ?? '', address: from.address ?? '' },
      subject,
      date,
      messageId,
      files: attachments.slice(0, maxFiles).map(fileOf),
    };
    return { type: 'done', mail, reusable: isMemoryBelow(maxReusableBytes) };
  } catch (error) {
    const message = 'The mail is damaged or too deeply nested. Save its attachments and upload them.';
    const reusable = isMemoryBelow(maxReusableBytes);
    return failedAnswer(error, reusable, { code: 'damaged_file', message, reusable });
  }
}

function fileOf({ filename, mimeType, disposition, related, contentId, content }: Attachment): MailFile {
  const isInline =
    disposition === 'inline' || related === true || (disposition !== 'attachment' && contentId !== undefined);
  // A copy of its own can move to the caller's thread.
  const bytes = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
  return { name: filename ?? undefined, mimeType, isInline, bytes };
}
