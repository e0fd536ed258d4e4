import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import { DomainError } from '@docwright/contract';
import {
  listUnread,
  recognitionConcurrency,
  recognizePage,
  type DocumentMimeType,
  type OcrLanguage,
  type Page,
} from '@docwright/documents';
import { workUnderLeases, type HeldLease } from '../../../platform/leases/leased-work.ts';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from './page-repository.ts';
import { noteFindings } from './note-findings.ts';
import { createReadingTurns } from './reading-turns.ts';
import type { RecognitionQueueRepository } from './recognition-queue-repository.ts';
import type { TextClaim } from './document-claim-repository.ts';

interface RecognitionDependencies {
  queue: RecognitionQueueRepository;
  files: Pick<FileRepository, 'read'>;
  pagesOf: (organizationId: string) => PageRepository;
  recognize?: typeof recognizePage;
  log: { error(fields: object, message: string): void };
  /** How long one document is processed before the next one, unless a user waits for another one. */
  turnMilliseconds?: number;
  /** How often the claim is renewed, which also detects a deleted document. */
  renewMilliseconds?: number;
  /** The clock by which users take turns, in milliseconds. */
  now?: () => number;
}

/** A page that was started this often without a result kills its process. */
const maxAttempts = 2;

/** Recognises pages without a text layer. */
export function createRecognitionService(dependencies: RecognitionDependencies) {
  const { queue, files, pagesOf, log, recognize = recognizePage } = dependencies;
  const { turnMilliseconds = 10_000, renewMilliseconds = 5_000, now = () => performance.now() } = dependencies;
  const turns = createReadingTurns(now);

  async function servePages(claim: TextClaim, { signal, lose }: HeldLease): Promise<void> {
    const end = performance.now() + turnMilliseconds;
    const pages = pagesOf(claim.organizationId);
    const { waiting, pageCount } = await pages.listToRecognize(claim.documentId);
    const [first] = waiting;
    if (claim.attempt > maxAttempts && first !== undefined) {
      await pages.noteFailure(claim.documentId, first, stopsReader);
      waiting.shift();
    }
    const bytes = waiting.length === 0 ? undefined : await files.read(claim.fileId);
    let language: OcrLanguage | undefined;
    let left = waiting.length;

    const readOne = async (pageNumber: number): Promise<void> => {
      const input = { bytes: bytes!, mimeType: mimeTypeOf(claim), pageNumber, likelyLanguage: language, signal };
      const outcome = await recognizeOrFail(input);
      if ('page' in outcome) {
        language = outcome.language;
        await pages.replace(claim.documentId, outcome.page);
      } else {
        await pages.noteFailure(claim.documentId, pageNumber, outcome.failure);
      }
      left -= 1;
      if (!(await queue.progress(claim, pageCount - left))) lose();
    };

    while (waiting.length > 0) {
      signal.throwIfAborted();
      // The language of the first page is the likely one of the others.
      await Promise.all(waiting.splice(0, language === undefined ? 1 : recognitionConcurrency).map(readOne));
      if (waiting.length === 0) break;
      const isTurnOver = performance.now() > end || (!claim.isFirst && (await queue.hasFirst()));
      if (isTurnOver) return await queue.release(claim);
    }
    signal.throwIfAborted();
    await finish(claim, pages, pageCount);
  }

  /** Returns an error of the page itself as a failure, and throws all other errors. */
  async function recognizeOrFail(
    input: Parameters<typeof recognizePage>[0],
  ): Promise<{ page: Page; language: OcrLanguage } | { failure: { code: string; message: string } }> {
    try {
      return await recognize(input);
    } catch (error) {
      if (error instanceof DomainError) return { failure: { code: error.code, message: error.message } };
      throw error;
    }
  }

  async function finish(claim: TextClaim, pages: PageRepository, pageCount: number): Promise<void> {
    const failures = await pages.failures(claim.documentId);
    const [first] = failures;
    if (first !== undefined && failures.length === pageCount) {
      const { code, message } = first;
      await queue.fail(claim, { code, message: pageCount === 1 ? message : `No page could be read. ${message}` });
    } else {
      await noteFindings(queue, claim, { onNoPage: claim.machineData, pages });
      await queue.complete(claim, listUnread([...claim.unread, ...(await pages.unread(claim.documentId))]));
    }
  }

  return {
    /** Processes one document after the other, each for a while, until the queue is empty or `signal` aborts. */
    recognizeAll: (signal: AbortSignal): Promise<void> =>
      workUnderLeases<TextClaim>(
        {
          claim: () => queue.claimNext(turns.users),
          renew: (claim) => queue.renew(claim),
          renewEveryMs: renewMilliseconds,
          release: (claim) => queue.release(claim),
          async work(claim, lease) {
            const startedAt = now();
            await servePages(claim, lease).finally(() => turns.count(claim, now() - startedAt));
          },
          async fail(claim, error) {
            log.error({ err: error, document_id: claim.documentId }, 'recognising a document failed');
            const message =
              'The pages of this file could not be read. Upload it again; if that does not help, scan it again.';
            try {
              await queue.fail(claim, { code: 'reading_failed', message });
            } catch (failure) {
              if (isDatabaseUnavailable(failure)) throw failure;
              // Its record is damaged: it is claimed again when the claim has expired, and holds up no other.
              log.error(
                { err: failure, document_id: claim.documentId },
                'the recognition of a document could not be ended',
              );
            }
          },
          onFailedRenewal: ({ documentId }, error) =>
            log.error({ err: error, document_id: documentId }, 'a claim was not renewed'),
        },
        signal,
      ),
  };
}

const stopsReader = {
  code: 'unreadable_page',
  message: 'This page crashed the reader several times. Scan it again, or save the document with another program.',
};

/** The type was detected from the bytes at upload. */
function mimeTypeOf(claim: TextClaim): DocumentMimeType {
  return claim.mimeType as DocumentMimeType;
}
