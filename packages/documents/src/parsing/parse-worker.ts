import type { MachineData } from '@docwright/contract';
import { parentPort } from 'node:worker_threads';
import { withMachineData } from '../machine-data/page-machine-data.ts';
import { listUnread, type UnreadPart } from '../page/unread.ts';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { OpenedDocument } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import type { ParseLimits } from '../reader/parse-limits.ts';
import { failedAnswer, type FailedAnswer } from '../threads/failed-answer.ts';
import { isMemoryBelow } from '../threads/thread-memory.ts';
import { packPage, type PackedPage } from './packed-page.ts';
import { readerOf } from './reader-of.ts';

/** A document whose pages were all passed on. */
export interface ParsedFile {
  pageCount: number;
  unread: UnreadPart[];
  machineData: MachineData[];
}

interface ParseRequest {
  type: 'parse';
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  limits: ParseLimits;
}

export type ToParserThread =
  | ParseRequest
  /** One page or file has been consumed. */
  | { type: 'page_taken' };

export type FromParserThread =
  /** The thread is up and begins with the file. */
  | { type: 'started' }
  | { type: 'page'; page: PackedPage; pageCount: number }
  | { type: 'file'; name: string; bytes: Uint8Array }
  | { type: 'done'; file: ParsedFile; reusable: boolean }
  | FailedAnswer;

/** Number of pages that the thread can send ahead of their consumer. It bounds the memory on both sides. */
const maxPagesAhead = 32;
/** A thread with more memory than this is replaced rather than reused. */
const maxReusableBytes = 400 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('parse-worker.ts runs in a worker thread.');

/** Number of sent pages that are not yet consumed, and the function that wakes the sender. */
const flow: { pagesAhead: number; resume: (() => void) | undefined } = { pagesAhead: 0, resume: undefined };

port.on('message', (message: ToParserThread) => {
  if (message.type === 'page_taken') {
    flow.pagesAhead -= 1;
    flow.resume?.();
    return;
  }
  void parse(message);
});

function send(message: FromParserThread, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

async function parse({ bytes, mimeType, limits }: ParseRequest): Promise<void> {
  flow.pagesAhead = 0;
  send({ type: 'started' });
  try {
    const open = await readerOf(mimeType);
    const document = await open(bytes, limits);
    await sendPages(document, limits);
    const { pageCount, unread = [], machineData = [] } = document;
    const parts = listUnread([...unread, ...(await sendFiles(document, limits))]);
    send({ type: 'done', file: { pageCount, unread: parts, machineData }, reusable: isMemoryBelow(maxReusableBytes) });
  } catch (error) {
    send(failedAnswer(error, isMemoryBelow(maxReusableBytes), unexpectedFailure(error)));
  }
}

async function sendPages({ pages, pageCount, codesOf }: OpenedDocument, limits: ParseLimits): Promise<void> {
  if (pageCount > limits.pages) {
    throw new ParseFailure(
      'too_many_pages',
      `The document has ${pageCount} pages; the limit is ${limits.pages}. Lines of texts and tables make a page each 65 lines. Split it and upload the parts.`,
    );
  }
  let words = 0;
  for (const page of pages) {
    if (page.words.length > limits.pageWords || page.text.length > limits.pageCharacters) {
      throw pageTooLarge(page.page_num, limits);
    }
    words += page.words.length;
    if (words > limits.words) {
      throw new ParseFailure(
        'document_too_large',
        `The document has more than ${limits.words} words. Split it and upload the parts.`,
      );
    }
    const packed = packPage(page.needs_ocr ? page : withMachineData(page, await codesOf?.(page.page_num)));
    send({ type: 'page', page: packed, pageCount }, [packed.boxes.buffer]);
    flow.pagesAhead += 1;
    await waitBelow(maxPagesAhead);
  }
}

/** Sends the files inside of the document, one at a time. Returns those beyond the limit. */
async function sendFiles({ files = [] }: OpenedDocument, limits: ParseLimits): Promise<UnreadPart[]> {
  const unread: UnreadPart[] = [];
  let sent = 0;
  for (const { name, bytes } of files) {
    if (sent >= limits.files) {
      unread.push({ kind: 'attachment', name, message: limits.files === 0 ? unreadFile : beyondLimit(limits.files) });
      continue;
    }
    sent += 1;
    // The bytes can be a part of a buffer that the reader still needs.
    const copy = new Uint8Array(bytes);
    send({ type: 'file', name, bytes: copy }, [copy.buffer]);
    flow.pagesAhead += 1;
    await waitBelow(1);
  }
  return unread;
}

const unreadFile = 'An attachment was not read. Save it and upload it as a document of its own.';

function beyondLimit(limit: number): string {
  return `This file was not read: only the first ${limit} files of a document are. Upload it as a document of its own.`;
}

/** Waits until fewer pages and files than this have been sent ahead. */
async function waitBelow(count: number): Promise<void> {
  while (flow.pagesAhead >= count) {
    await new Promise<void>((resolve) => {
      flow.resume = resolve;
    });
  }
}

/** The failure of a page beyond the limits: the calling thread handles a page at once and must not block for long. */
function pageTooLarge(pageNumber: number, { pageWords, pageCharacters }: ParseLimits): ParseFailure {
  return new ParseFailure(
    'page_too_large',
    `Page ${pageNumber} has more than ${pageWords} words or ${pageCharacters} characters. A row or a line without an end counts as one page. Divide it into shorter rows or pages and upload that.`,
  );
}

function unexpectedFailure(error: unknown): Pick<FailedAnswer, 'code' | 'message' | 'reusable'> {
  // WebAssembly crashed, and its memory is in an unknown state.
  if (error instanceof Error && error.name === 'RuntimeError') {
    const message = 'The file crashed its reader. Open it in another program, save it as a new PDF and upload that.';
    return { code: 'parser_crashed', message, reusable: false };
  }
  const message =
    'The file is damaged or incomplete. Open it where it was made, save it again and upload the new file.';
  return { code: 'damaged_file', message, reusable: isMemoryBelow(maxReusableBytes) };
}
