import { Worker } from 'node:worker_threads';
import { ParseError } from '../parse-error.ts';
import type { JobThread } from '../worker/thread-pool.ts';
import type { OcrAnswer, OcrRequest } from './ocr-messages.ts';
import type { RecognizedPage } from './read-page-image.ts';

/** The JavaScript heap of one thread; pictures lie outside it. */
const HEAP_MEGABYTES = 256;

export interface OcrJob extends OcrRequest {
  /** Wall-clock time, waiting for a free thread not included. */
  milliseconds: number;
  signal: AbortSignal | undefined;
}

/** One thread that recognises one page at a time and is killed when it takes too long or is no longer wanted. */
export function startOcrThread(): JobThread<OcrJob, RecognizedPage> {
  // No environment: a thread that handles hostile files has no business with the settings of the process.
  const worker = new Worker(new URL('./ocr-worker.ts', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  worker.unref();
  let alive = true;
  const stop = (): void => {
    alive = false;
    void worker.terminate();
  };
  worker.once('exit', () => {
    alive = false;
  });
  worker.on('error', () => {
    alive = false;
  });
  return {
    run: (job) => runJob(worker, job, stop),
    stop,
    get alive() {
      return alive;
    },
  };
}

function runJob(worker: Worker, job: OcrJob, stop: () => void): Promise<RecognizedPage> {
  const { promise, resolve, reject } = Promise.withResolvers<RecognizedPage>();
  const { signal, milliseconds, ...request } = job;
  const end = (finish: () => void): void => {
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    signal?.removeEventListener('abort', onAbort);
    worker.unref();
    finish();
  };
  const fail = (error: unknown): void =>
    end(() => {
      stop();
      reject(error);
    });
  const onMessage = (answer: OcrAnswer): void =>
    end(() => {
      if (!answer.reusable) stop();
      if (answer.type === 'done') resolve(answer.recognized);
      else reject(failureOf(answer.code, answer.message, answer.reason));
    });
  const onError = (error: Error & { code?: string }): void => fail(crash(error));
  const onExit = (): void => fail(crash(undefined));
  const onAbort = (): void => fail(signal?.reason);

  const timer = setTimeout(() => fail(timeout(milliseconds)), milliseconds);
  if (signal?.aborted) {
    onAbort();
    return promise;
  }
  signal?.addEventListener('abort', onAbort);
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.ref();
  const bytes = new Uint8Array(request.bytes);
  worker.postMessage({ ...request, bytes } satisfies OcrRequest, [bytes.buffer]);
  return promise;
}

function failureOf(code: ParseError['code'], message: string, cause: unknown): ParseError {
  const error = new ParseError(code, message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 1000);
  return failureOf(
    'parse_timeout',
    `Reading this page was stopped after ${seconds} seconds. Scan it with fewer dots an inch and upload that.`,
    undefined,
  );
}

function crash(error: (Error & { code?: string }) | undefined): ParseError {
  return error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failureOf('parse_out_of_memory', 'This page takes more memory than one page may. Scan it anew, smaller.', error)
    : failureOf('parser_crashed', 'This page brought its reader down. Save the document anew and upload that.', error);
}
