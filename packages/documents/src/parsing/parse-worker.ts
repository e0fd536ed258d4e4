import { parentPort } from 'node:worker_threads';
import type { OpenedDocument } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import type { ParseLimits } from '../reader/parse-limits.ts';
import { packPage } from './packed-page.ts';
import { readerOf } from './reader-of.ts';
import { PAGES_AHEAD, type FromThread, type ToThread } from './thread-messages.ts';

/** A thread with more memory than this is replaced rather than reused. */
const REUSABLE_BYTES = 400 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('parse-worker.ts runs in a worker thread.');

/** Number of sent pages that are not yet acknowledged, and the waiting sender. */
const flow: { ahead: number; resume: (() => void) | undefined } = { ahead: 0, resume: undefined };

port.on('message', (message: ToThread) => {
  if (message.type === 'page_taken') {
    flow.ahead -= 1;
    flow.resume?.();
    return;
  }
  void parse(message);
});

function send(message: FromThread, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

async function parse(request: Extract<ToThread, { type: 'parse' }>): Promise<void> {
  flow.ahead = 0;
  try {
    const read = await readerOf(request.mimeType);
    const opened = await read(request.bytes, request.limits);
    await sendPages(opened, request.limits);
    send({ type: 'done', pageCount: opened.pageCount, reusable: isReusable() });
  } catch (error) {
    send(failureOf(error));
  }
}

async function sendPages({ pages, pageCount }: OpenedDocument, limits: ParseLimits): Promise<void> {
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
    const packed = packPage(page);
    send({ type: 'page', page: packed, pageCount }, [packed.boxes.buffer]);
    flow.ahead += 1;
    while (flow.ahead >= PAGES_AHEAD) {
      await new Promise<void>((resolve) => {
        flow.resume = resolve;
      });
    }
  }
}

/** The failure of a page beyond the limits: the calling thread handles a page at once and must not block for long. */
function pageTooLarge(pageNumber: number, { pageWords, pageCharacters }: ParseLimits): ParseFailure {
  return new ParseFailure(
    'page_too_large',
    `Page ${pageNumber} has more than ${pageWords} words or ${pageCharacters} characters. A row or a line without an end counts as one page. Divide it into shorter rows or pages and upload that.`,
  );
}

function failureOf(error: unknown): FromThread {
  if (error instanceof ParseFailure) {
    const reusable = error.code !== 'parse_out_of_memory' && isReusable();
    return { type: 'failed', code: error.code, message: error.message, reusable };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof Error && error.name === 'RuntimeError') {
    const message = 'The file crashed its reader. Open it in another program, save it as a new PDF and upload that.';
    return { type: 'failed', code: 'parser_crashed', message, reason, reusable: false };
  }
  const message =
    'The file is damaged or incomplete. Open it where it was made, save it again and upload the new file.';
  return { type: 'failed', code: 'damaged_file', message, reason, reusable: isReusable() };
}

function isReusable(): boolean {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external < REUSABLE_BYTES;
}
