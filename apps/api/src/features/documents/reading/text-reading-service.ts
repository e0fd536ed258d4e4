import { isTraced, traced, traceEnded } from '@docwright/agent-core';
import { DomainError, type UnreadPart } from '@docwright/contract';
import { listUnread, parseDocument, type DocumentMimeType, type Page } from '@docwright/documents';
import { isFilesUnavailable } from '../files/s3-file-store.ts';
import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import { startHeartbeat, type Heartbeat } from '../../../platform/leases/heartbeat.ts';
import type { AttachmentService } from '../attachments/attachment-service.ts';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from './page-repository.ts';
import type { TextClaim } from './document-claim-repository.ts';
import { createReadingTurns } from './reading-turns.ts';
import { noteFindings } from './note-findings.ts';
import type { ReadingLane, TextQueueRepository } from './text-queue-repository.ts';

export interface TextReadingDependencies {
  queue: TextQueueRepository;
  files: FileRepository;
  pagesOf: (organizationId: string) => PageRepository;
  attachments: AttachmentService;
  parse?: typeof parseDocument;
  /** How often the claim is renewed, which also detects a deleted document. */
  renewMilliseconds?: number;
  /** How long a thread reads a document of the quick lane before it moves to the long one. */
  quickMilliseconds?: number;
  /** Wakes the reading of the long lane. */
  wakeLongReading?: () => Promise<void>;
  /** Wakes the recognition of pages without a text layer. */
  wakeRecognition: () => Promise<void>;
  /** The clock by which organizations take turns, in milliseconds. */
  now?: () => number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Pages per write. Each write also renews the claim. */
const pagesPerWrite = 20;

/** A write with this many words is made before it has all its pages, to limit its size. */
const wordsPerWrite = 50_000;

/** A document that killed its reader this often is not tried again. */
const maxAttempts = 2;

/** Reads the text layers of uploaded documents. Pages without a text layer are passed to the recognition. */
export interface TextReadingService {
  /**
   * Reads one document of the lane after the other until the lane is empty or `signal` aborts. Several calls can run
   * concurrently.
   */
  readLane(lane: ReadingLane, signal: AbortSignal): Promise<void>;
  /** Reads the documents of both lanes. */
  readAll(signal: AbortSignal): Promise<void>;
}

export function createTextReadingService(dependencies: TextReadingDependencies): TextReadingService {
  const {
    queue,
    files,
    pagesOf,
    attachments,
    wakeRecognition,
    log,
    parse = parseDocument,
    renewMilliseconds = 5_000,
    quickMilliseconds = 2_000,
    wakeLongReading = async () => undefined,
    now = () => performance.now(),
  } = dependencies;

  const turns = createReadingTurns(now);

  async function readOne(claim: TextClaim, lane: ReadingLane, signal: AbortSignal): Promise<void> {
    if (claim.attempt > maxAttempts) {
      const message = 'This file crashed the reader several times. Save it with another program and upload it again.';
      await fail(claim, { code: 'unreadable_file', message });
      return;
    }
    const tooLong = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // A wait for a thread is no fault of the document: in the long lane it would wait for those that are.
    const onStart = () => {
      if (lane === 'quick') timer ??= setTimeout(() => tooLong.abort(), quickMilliseconds);
    };
    try {
      await readPages(claim, AbortSignal.any([signal, tooLong.signal]), onStart);
    } catch (error) {
      if (signal.aborted) {
        await queue.release(claim);
      } else if (isDatabaseUnavailable(error) || isFilesUnavailable(error)) {
        // Not the fault of the file: the next poll tries again.
        await queue.release(claim);
        throw error;
      } else if (tooLong.signal.aborted) {
        await queue.release(claim, 'long');
        await wakeLongReading();
      } else if (error instanceof DomainError) {
        await fail(claim, { code: error.code, message: error.message });
      } else {
        log.error({ err: error, document_id: claim.documentId }, 'reading a document failed');
        const message =
          'The text of this file could not be read. Upload it again; if that does not help, save it with another program first.';
        await fail(claim, { code: 'reading_failed', message });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nothing is made of part of a text: the pages before the failure are removed. */
  async function fail(claim: TextClaim, error: { code: string; message: string }): Promise<void> {
    if (!(await queue.renew(claim))) return;
    await pagesOf(claim.organizationId).removeAll(claim.documentId);
    await queue.fail(claim, error);
  }

  async function readPages(claim: TextClaim, signal: AbortSignal, onStart: () => void): Promise<void> {
    const pages = pagesOf(claim.organizationId);
    await pages.removeAll(claim.documentId);
    // Renews on a timer as well, since a single page can take long.
    const heartbeat = startHeartbeat(() => queue.renew(claim), renewMilliseconds, {
      lostReason: claimLost(),
      onFailure: (error) => log.warn({ err: error, document_id: claim.documentId }, 'a claim was not renewed'),
    });
    const writer = createPageWriter(claim, pages, queue, heartbeat);
    const notRead: UnreadPart[] = [];
    // Pages come from a thread that knows nothing of the trace.
    const hasSpan = isTraced();
    let startTime = new Date();
    let parsed: Awaited<ReturnType<typeof parse>>;
    try {
      parsed = await parse({
        bytes: await files.read(claim.fileId),
        mimeType: documentMimeType(claim.mimeType),
        signal: AbortSignal.any([signal, heartbeat.lost]),
        keepPages: false,
        onStart,
        async onPage(page, count) {
          if (hasSpan) traceEnded({ name: 'page.read', startTime });
          await writer.add(page, count);
          startTime = new Date();
        },
        limits: { files: attachments.limitOf(claim) },
        async onFile(file, index) {
          const part = await attachments.store(claim, file, index);
          if (part) notRead.push(part);
        },
      });
    } finally {
      await heartbeat.stop();
      // Its pages must not come after those of the next reader.
      await writer.settled();
    }
    await writer.flush();
    const { page_count } = parsed;
    const isWhole = writer.pagesWithoutText === 0;
    const [unreadPages] = await Promise.all([
      isWhole ? pages.unread(claim.documentId) : [],
      noteFindings(queue, claim, { onNoPage: parsed.machine_data, pages }),
    ]);
    const unread = listUnread([...notRead, ...parsed.unread]);
    if (isWhole) {
      await queue.complete(claim, listUnread([...unread, ...unreadPages]), page_count);
    } else if (await queue.passToRecognition(claim, page_count, page_count - writer.pagesWithoutText, unread)) {
      await wakeRecognition();
    }
  }

  const readLane: TextReadingService['readLane'] = async (lane, signal) => {
    while (!signal.aborted) {
      const claim = await queue.claimNext(lane, turns);
      if (claim === undefined) return;
      const startedAt = now();
      try {
        await traced({ name: 'document.read' }, () => readOne(claim, lane, signal));
      } catch (error) {
        if (signal.aborted || isDatabaseUnavailable(error) || isFilesUnavailable(error)) throw error;
        // Its record is damaged: it is claimed again when the claim has expired, and holds up no other.
        log.error({ err: error, document_id: claim.documentId }, 'the reading of a document could not be ended');
      } finally {
        turns.count(claim, now() - startedAt);
      }
    }
  };

  return {
    readLane,
    async readAll(signal) {
      await readLane('quick', signal);
      await readLane('long', signal);
    },
  };
}

function claimLost(): DomainError {
  return new DomainError('conflict', 'claim_lost', 'The document was deleted or is read by another process.');
}

/** Stores pages in batches as they arrive. Stops the parser if the document was deleted or claimed by another process. */
function createPageWriter(
  claim: TextClaim,
  pages: PageRepository,
  queue: TextQueueRepository,
  heartbeat: Pick<Heartbeat, 'lose'>,
) {
  let batch: Page[] = [];
  let words = 0;
  let done = 0;
  let pageCount = 0;
  let adding = Promise.resolve();
  const writer = {
    pagesWithoutText: 0,
    add(page: Page, count: number): Promise<void> {
      adding = writer.write(page, count);
      return adding;
    },
    /** Resolves when nothing is being written, after a failure too. */
    settled: (): Promise<void> => adding.catch(() => undefined),
    async write(page: Page, count: number): Promise<void> {
      pageCount = count;
      batch.push(page);
      if (page.needs_ocr) writer.pagesWithoutText += 1;
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
        heartbeat.lose();
        throw claimLost();
      }
      await pages.insert(claim.documentId, full);
    },
  };
  return writer;
}

/** The type was detected from the bytes at upload; the parser refuses unknown ones. */
function documentMimeType(stored: string): DocumentMimeType {
  return stored as DocumentMimeType;
}
