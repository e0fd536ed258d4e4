import { ParseError } from '../parse-error.ts';
import { startJobThread } from '../worker/job-thread.ts';
import type { JobThread } from '../worker/thread-pool.ts';
import type { OcrAnswer, OcrRequest } from './ocr-messages.ts';
import type { RecognizedPage } from './read-page-image.ts';

export interface OcrJob extends OcrRequest {
  /** Wall-clock time, waiting for a free thread not included. */
  milliseconds: number;
  signal: AbortSignal | undefined;
}

/** One thread that recognises one page at a time. */
export function startOcrThread(): JobThread<OcrJob, RecognizedPage> {
  return startJobThread<OcrJob, OcrRequest, OcrAnswer, RecognizedPage>({
    script: new URL('./ocr-worker.ts', import.meta.url),
    // Pictures lie outside it.
    heapMegabytes: 256,
    crash: {
      outOfMemory: 'This page takes more memory than one page may. Scan it anew, smaller.',
      other: 'This page brought its reader down. Save the document anew and upload that.',
    },
    talk({ bytes: given, mimeType, pageNumber, likelyLanguage, milliseconds }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        begin() {
          timer = setTimeout(() => job.kill(timeout(milliseconds)), milliseconds);
          const bytes = new Uint8Array(given);
          job.send({ bytes, mimeType, pageNumber, likelyLanguage }, [bytes.buffer]);
        },
        take(answer) {
          if (answer.type === 'done') job.done(answer.recognized, answer);
          else job.failed(answer);
        },
        over: () => clearTimeout(timer),
      };
    },
  });
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 1000);
  return new ParseError(
    'parse_timeout',
    `Reading this page was stopped after ${seconds} seconds. Scan it with fewer dots an inch and upload that.`,
  );
}
