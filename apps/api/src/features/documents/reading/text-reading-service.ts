import { DomainError } from '@docwright/contract';
import { parseDocument, type DocumentMimeType, type Page } from '@docwright/documents';
import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from './page-repository.ts';
import type { TextClaim } from './document-claim-repository.ts';
import type { TextQueueRepository } from './text-queue-repository.ts';

export interface TextReadingDependencies {
  queue: TextQueueRepository;
  files: FileRepository;
  pagesOf: (organizationId: string) => PageRepository;
  parse?: typeof parseDocument;
  /** How often it is looked whether the document is still there and ours. */
  renewMilliseconds?: number;
  /** Wakes whoever recognises pages without a text layer. */
  wakeRecognition: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Pages stored with one write; also how often the claim is renewed on a long document. */
const pagesPerWrite = 20;

/** A write ends early with so many words, since each is made in one go. */
const wordsPerWrite = 50_000;

/** A document that took its reader down this often is not tried again. */
const maxAttempts = 3;

/** Reads the text layers of uploaded documents into pages; pages without one are handed on. */
export interface TextReadingService {
  /** Reads one document after the other until none waits or `signal` aborts. Several may run side by side. */
  readAll(signal: AbortSignal): Promise<void>;
}

export function createTextReadingService(dependencies: TextReadingDependencies): TextReadingService {
  const {
    queue,
    files,
    pagesOf,
    wakeRecognition,
    log,
    parse = parseDocument,
    renewMilliseconds = 5_000,
  } = dependencies;

  async function readOne(claim: TextClaim, signal: AbortSignal): Promise<void> {
    if (claim.attempt > maxAttempts) {
      const message =
        'Reading this file stopped the reader several times. Save it anew with another program and upload it again.';
      await queue.fail(claim, { code: 'unreadable_file', message });
      return;
    }
    try {
      await readPages(claim, signal);
    } catch (error) {
      if (signal.aborted) {
        await queue.release(claim);
      } else if (isDatabaseUnavailable(error)) {
        // No fault of the file: it waits for the next look.
        await queue.release(claim);
        throw error;
      } else if (error instanceof DomainError) {
        await queue.fail(claim, { code: error.code, message: error.message });
      } else {
        log.error({ err: error, document_id: claim.documentId }, 'reading a document failed');
        const message =
          'The text of this file could not be read. Upload it again; if that does not help, save it anew first.';
        await queue.fail(claim, { code: 'reading_failed', message });
      }
    }
  }

  async function readPages(claim: TextClaim, signal: AbortSignal): Promise<void> {
    const pages = pagesOf(claim.organizationId);
    await pages.removeAll(claim.documentId);
    const lost = new AbortController();
    const writer = createPageWriter(claim, pages, queue, lost);
    // A page that takes long is no sign of death.
    const renew = async () => {
      if (!(await queue.renew(claim))) lost.abort(claimLost());
    };
    const renewal = setInterval(() => {
      void renew().catch((error: unknown) => {
        log.warn({ err: error, document_id: claim.documentId }, 'a claim was not renewed');
      });
    }, renewMilliseconds);
    let parsed: Awaited<ReturnType<typeof parse>>;
    try {
      parsed = await parse({
        bytes: await files.read(claim.fileId),
        mimeType: documentMimeType(claim.mimeType),
        name: claim.documentName,
        signal: AbortSignal.any([signal, lost.signal]),
        keepPages: false,
        onPage: (page, count) => writer.add(page, count),
      });
    } finally {
      clearInterval(renewal);
    }
    await writer.flush();
    if (writer.textless === 0) {
      await queue.complete(claim, parsed.page_count);
    } else if (await queue.passToRecognition(claim, parsed.page_count, parsed.page_count - writer.textless)) {
      await wakeRecognition();
    }
  }

  return {
    async readAll(signal) {
      while (!signal.aborted) {
        const claim = await queue.claimNext();
        if (claim === undefined) return;
        await readOne(claim, signal);
      }
    },
  };
}

function claimLost(): DomainError {
  return new DomainError('conflict', 'claim_lost', 'The document was deleted or is read by another process.');
}

/** Stores pages in batches as they come; stops the parser when the document was deleted or taken over meanwhile. */
function createPageWriter(claim: TextClaim, pages: PageRepository, queue: TextQueueRepository, lost: AbortController) {
  let batch: Page[] = [];
  let words = 0;
  let done = 0;
  let pageCount = 0;
  const writer = {
    textless: 0,
    async add(page: Page, count: number): Promise<void> {
      pageCount = count;
      batch.push(page);
      if (page.needs_ocr) writer.textless += 1;
      words += page.words.length;
      if (batch.length >= pagesPerWrite || words >= wordsPerWrite) await writer.flush();
    },
    async flush(): Promise<void> {
      if (batch.length === 0) return;
      const full = batch;
      batch = [];
      words = 0;
      done += full.length;
      if (!(await queue.progress(claim, done, pageCount))) {
        lost.abort(claimLost());
        throw claimLost();
      }
      await pages.insert(claim.documentId, full);
    },
  };
  return writer;
}

/** The type was decided from the bytes at upload; the parser refuses what it does not know. */
function documentMimeType(stored: string): DocumentMimeType {
  return stored as DocumentMimeType;
}
