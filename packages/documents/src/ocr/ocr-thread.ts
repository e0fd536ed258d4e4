import { ParseError } from '../parse-error.ts';
import { startJobThread } from '../worker/job-thread.ts';
import type { JobThread } from '../worker/thread-pool.ts';
import type { OcrAnswer, OcrRequest } from './ocr-messages.ts';
import type { RecognizedPage } from './read-page-image.ts';

export interface OcrJob extends OcrRequest {
  /** Wall-clock limit in milliseconds, without the wait for a free thread. */
  milliseconds: number;
  signal: AbortSignal | undefined;
}

/** One thread that recognises one page at a time. */
export function startOcrThread(): JobThread<OcrJob, RecognizedPage> {
  return startJobThread<OcrJob, OcrRequest, OcrAnswer, RecognizedPage>({
    script: new URL('./ocr-worker.ts', import.meta.url),
    // Pictures are outside of the JavaScript heap.
    heapMegabytes: 256,
    crash: {
      outOfMemory: 'This page needs more memory than the limit. Scan it again at a lower resolution and upload that.',
      other: 'This page crashed its reader. Save the document again and upload that.',
    },
    handler({ bytes: given, mimeType, pageNumber, likelyLanguage, engine, modelsFolder, milliseconds }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        start() {
          timer = setTimeout(() => job.kill(timeout(milliseconds)), milliseconds);
          const bytes = new Uint8Array(given);
          job.send({ bytes, mimeType, pageNumber, likelyLanguage, engine, modelsFolder }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'done') job.done(answer.recognized, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 1000);
  return new ParseError(
    'parse_timeout',
    `Reading this page was stopped after ${seconds} seconds. Scan it at a lower resolution and upload that.`,
  );
}
