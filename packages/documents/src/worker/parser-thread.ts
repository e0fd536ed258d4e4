import { Worker } from 'node:worker_threads';
import type { DocumentMimeType } from '../document-mime-type.ts';
import type { Page } from '../page.ts';
import { ParseError } from '../parse-error.ts';
import type { ParseLimits } from '../parse-limits.ts';
import { unpackPage } from './packed-page.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import type { JobThread } from './thread-pool.ts';

/** The JavaScript heap of one thread; the PDF reader bounds its own memory. */
const HEAP_MEGABYTES = 512;

export interface ParseJob {
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  limits: ParseLimits;
  signal: AbortSignal | undefined;
  onPage: (page: Page, pageCount: number) => void | Promise<void>;
}

/** Its jobs resolve to the page count. */
export type ParserThread = JobThread<ParseJob, number>;

/** One thread that parses one document at a time and is killed when it takes too long, too much, or is no longer wanted. */
export function startParserThread(): ParserThread {
  // No environment: a thread that handles hostile files has no business with the settings of the process.
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
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

function runJob(worker: Worker, job: ParseJob, stop: () => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let settled = false;
  let pagesTaken = Promise.resolve();
  let pageTimer: NodeJS.Timeout | undefined;

  const settle = (finish: () => void): void => {
    if (settled) return;
    settled = true;
    clearTimeout(pageTimer);
    clearTimeout(documentTimer);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    job.signal?.removeEventListener('abort', onAbort);
    worker.unref();
    finish();
  };
  const fail = (error: unknown): void =>
    settle(() => {
      stop();
      reject(error);
    });
  const restartPageTimer = (): void => {
    clearTimeout(pageTimer);
    pageTimer = setTimeout(() => fail(timeout(job.limits.millisecondsPerPage)), job.limits.millisecondsPerPage);
  };

  const takePage = async (message: Extract<FromThread, { type: 'page' }>): Promise<void> => {
    if (settled) return;
    clearTimeout(pageTimer);
    await job.onPage(unpackPage(message.page), message.pageCount);
    if (settled) return;
    worker.postMessage({ type: 'page_taken' } satisfies ToThread, []);
    restartPageTimer();
  };
  const onMessage = (message: FromThread): void => {
    if (message.type === 'page') {
      pagesTaken = pagesTaken.then(() => takePage(message)).catch(fail);
      return;
    }
    void pagesTaken.then(() =>
      settle(() => {
        if (!message.reusable) stop();
        if (message.type === 'done') resolve(message.pageCount);
        else reject(parseErrorOf(message));
      }),
    );
  };
  const onError = (error: Error): void => fail(crash(error));
  const onExit = (): void => fail(crash(undefined));
  const onAbort = (): void => fail(job.signal?.reason);

  const documentTimer = setTimeout(() => fail(timeout(job.limits.milliseconds)), job.limits.milliseconds);
  if (job.signal?.aborted) {
    onAbort();
    return promise;
  }
  job.signal?.addEventListener('abort', onAbort);
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.ref();
  restartPageTimer();
  const bytes = new Uint8Array(job.bytes);
  const request: ToThread = { type: 'parse', bytes, mimeType: job.mimeType, limits: job.limits };
  worker.postMessage(request, [bytes.buffer]);
  return promise;
}

function parseErrorOf({ code, message, reason }: Extract<FromThread, { type: 'failed' }>): ParseError {
  const error = new ParseError(code, message);
  if (reason !== undefined) error.cause = reason;
  return error;
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new ParseError(
    'parse_timeout',
    `Reading the document was stopped after ${seconds} seconds. Split it, or save it anew from the program that made it, and upload that.`,
  );
}

function crash(error: (Error & { code?: string }) | undefined): ParseError {
  const failure =
    error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? new ParseError(
          'parse_out_of_memory',
          'The document takes more memory than one document may. Split it and upload the parts.',
        )
      : new ParseError(
          'parser_crashed',
          'The file brought its reader down. Open it in another program, save it anew and upload that.',
        );
  failure.cause = error;
  return failure;
}
