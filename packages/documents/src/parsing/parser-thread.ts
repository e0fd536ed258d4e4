import type { Page } from '../page/page.ts';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { ContainedFile } from '../reader/document-reader.ts';
import { ParseError } from '../reader/parse-error.ts';
import type { ParseLimits } from '../reader/parse-limits.ts';
import { startJobThread } from '../threads/job-thread.ts';
import type { JobThread } from '../threads/thread-pool.ts';
import { unpackPage } from './packed-page.ts';
import type { FromParserThread, ParsedFile, ToParserThread } from './parse-worker.ts';

export interface ParseJob {
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  limits: ParseLimits;
  signal: AbortSignal | undefined;
  onStart?: (() => void) | undefined;
  onPage: (page: Page, pageCount: number) => void | Promise<void>;
  onFile?: (file: ContainedFile) => void | Promise<void>;
}

/** One thread that parses one document at a time. */
export function startParserThread(memoryBytes: number): JobThread<ParseJob, ParsedFile> {
  return startJobThread<ParseJob, ToParserThread, FromParserThread, ParsedFile>({
    script: new URL('./parse-worker.ts', import.meta.url),
    memoryBytes,
    crash: {
      outOfMemory: 'The document needs more memory than the limit for one document. Split it and upload the parts.',
      other: 'The file crashed its reader. Open it in another program, save it again and upload that.',
    },
    handler({ bytes: file, mimeType, limits, onStart, onPage, onFile }, job) {
      let partsTaken = Promise.resolve();
      let pageTimer: NodeJS.Timeout | undefined;
      let documentTimer: NodeJS.Timeout | undefined;
      const killAfter = (milliseconds: number): NodeJS.Timeout =>
        setTimeout(() => job.kill(timeout(milliseconds)), milliseconds);

      const receivePart = async (message: Extract<FromParserThread, { type: 'page' | 'file' }>): Promise<void> => {
        if (job.isFinished) return;
        clearTimeout(pageTimer);
        if (message.type === 'page') await onPage(unpackPage(message.page), message.pageCount);
        else await onFile?.({ name: message.name, bytes: message.bytes });
        if (job.isFinished) return;
        job.send({ type: 'page_taken' });
        pageTimer = killAfter(limits.millisecondsPerPage);
      };

      return {
        start() {
          documentTimer = killAfter(limits.milliseconds);
          pageTimer = killAfter(limits.millisecondsPerPage);
          const bytes = new Uint8Array(file);
          job.send({ type: 'parse', bytes, mimeType, limits }, [bytes.buffer]);
        },
        receive(message) {
          if (message.type === 'started') {
            onStart?.();
            return;
          }
          if (message.type === 'page' || message.type === 'file') {
            partsTaken = partsTaken.then(() => receivePart(message)).catch((error: unknown) => job.kill(error));
            return;
          }
          void partsTaken.then(() => (message.type === 'done' ? job.done(message.file, message) : job.failed(message)));
        },
        finish() {
          clearTimeout(pageTimer);
          clearTimeout(documentTimer);
        },
      };
    },
  });
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new ParseError(
    'parse_timeout',
    `Reading the document was stopped after ${seconds} seconds. Split it, or save it again from the program that made it, and upload that.`,
  );
}
