import { Worker } from 'node:worker_threads';
import { ParseError } from '../reader/parse-error.ts';
import type { FailedAnswer } from './failed-answer.ts';
import { closeNativeGate, createNativeGate } from './native-gate.ts';
import type { JobThread } from './thread-pool.ts';

/** One running job. The first call of `done`, `failed` or `kill` ends it. */
interface RunningJob<Request, Result> {
  readonly isFinished: boolean;
  /** `transfer`: buffers that move to the thread and are no longer usable here. */
  send(request: Request, transfer?: readonly ArrayBuffer[]): void;
  done(result: Result, answer: Reusable): void;
  failed(answer: FailedAnswer): void;
  /** Stops the thread: immediately, or when it has left native code. */
  kill(error: unknown): void;
}

interface Reusable {
  /** Whether the thread can take another job; otherwise it is stopped. */
  reusable: boolean;
}

/** The caller's side of a job. */
interface JobHandler<Answer> {
  /** Called once, and not for a job that was aborted. */
  start(): void;
  receive(answer: Answer): void;
  /** Clears the timers of the job. */
  finish(): void;
}

interface ThreadSettings<Job, Request, Answer, Result> {
  script: URL;
  /** All memory of the thread: half for the JavaScript heap, half for WebAssembly. */
  memoryBytes: number;
  /** Error messages for a thread that crashed. */
  crash: { outOfMemory: string; other: string };
  handler: (job: Job, running: RunningJob<Request, Result>) => JobHandler<Answer>;
}

const megabyte = 1024 * 1024;
const maxHeapMegabytes = 512;
const maxWasmBytes = 1024 * megabyte;

/** A thread that is killed when its job fails, takes too long or is aborted. */
export function startJobThread<Job extends { signal: AbortSignal | undefined }, Request, Answer, Result>(
  settings: ThreadSettings<Job, Request, Answer, Result>,
): JobThread<Job, Result> {
  // No environment: a thread that handles hostile files must not see the settings of the process.
  const gate = createNativeGate();
  const worker = new Worker(settings.script, {
    env: {},
    execArgv: [],
    workerData: { wasmBytes: Math.min(maxWasmBytes, settings.memoryBytes / 2), nativeGate: gate.buffer },
    resourceLimits: { maxOldGenerationSizeMb: Math.min(maxHeapMegabytes, settings.memoryBytes / 2 / megabyte) },
  });
  worker.unref();
  let isAlive = true;
  const stop = (): void => {
    if (!isAlive) return;
    isAlive = false;
    closeNativeGate(gate, () => void worker.terminate());
  };
  worker.once('exit', () => {
    isAlive = false;
  });
  worker.on('error', () => {
    isAlive = false;
  });

  function run(job: Job): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let isFinished = false;
    const settle = (isReusable: boolean, finish: () => void): void => {
      if (isFinished) return;
      isFinished = true;
      handler.finish();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      job.signal?.removeEventListener('abort', onAbort);
      worker.unref();
      if (!isReusable) stop();
      finish();
    };
    const running: RunningJob<Request, Result> = {
      get isFinished() {
        return isFinished;
      },
      send: (request, transfer = []) => worker.postMessage(request, transfer),
      done: (result, { reusable }) => settle(reusable, () => resolve(result)),
      failed: ({ code, message, reason, reusable }) => settle(reusable, () => reject(failure(code, message, reason))),
      kill: (error) => settle(false, () => reject(error)),
    };
    const handler = settings.handler(job, running);
    const onMessage = (answer: Answer): void => handler.receive(answer);
    const onError = (error: Error & { code?: string }): void =>
      running.kill(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? failure('parse_out_of_memory', settings.crash.outOfMemory, error)
          : failure('parser_crashed', settings.crash.other, error),
      );
    const onExit = (): void => running.kill(failure('parser_crashed', settings.crash.other, undefined));
    const onAbort = (): void => running.kill(job.signal?.reason);

    if (job.signal?.aborted) {
      onAbort();
      return promise;
    }
    job.signal?.addEventListener('abort', onAbort);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    try {
      handler.start();
    } catch (error) {
      running.kill(error);
    }
    return promise;
  }

  return {
    run,
    stop,
    get isAlive() {
      return isAlive;
    },
  };
}

function failure(code: ParseError['code'], message: string, cause: unknown): ParseError {
  const error = new ParseError(code, message);
  if (cause !== undefined) error.cause = cause;
  return error;
}
