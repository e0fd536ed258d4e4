import { Worker } from 'node:worker_threads';
import { ParseError } from '../parse-error.ts';
import type { JobThread } from './thread-pool.ts';

/** One job as it goes on. Whichever of `done`, `failed` and `kill` is called first ends it. */
export interface GoingJob<Request, Result> {
  readonly isOver: boolean;
  /** `transfer`: what the thread has from then on, and nobody here. */
  send(request: Request, transfer?: readonly ArrayBuffer[]): void;
  done(result: Result, answer: Reusable): void;
  failed(answer: FailedAnswer): void;
  /** Stops the thread, whatever it does. */
  kill(error: unknown): void;
}

/** `reusable`: the thread is as good as new; another is stopped. */
interface Reusable {
  reusable: boolean;
}

interface FailedAnswer extends Reusable {
  code: ParseError['code'];
  message: string;
  reason?: string;
}

/** What is done here for a job. */
interface JobTalk<Answer> {
  /** Called once, and not for a job that nobody wants any more. */
  begin(): void;
  take(answer: Answer): void;
  /** Timers have no business after it. */
  over(): void;
}

interface ThreadSettings<Job, Request, Answer, Result> {
  script: URL;
  /** The JavaScript heap of the thread. */
  heapMegabytes: number;
  /** What a person reads of a thread that came down. */
  crash: { outOfMemory: string; other: string };
  talk: (job: Job, going: GoingJob<Request, Result>) => JobTalk<Answer>;
}

/** A thread that is killed when its job fails, takes too long or is no longer wanted. */
export function startJobThread<Job extends { signal: AbortSignal | undefined }, Request, Answer, Result>(
  settings: ThreadSettings<Job, Request, Answer, Result>,
): JobThread<Job, Result> {
  // No environment: a thread that handles hostile files has no business with the settings of the process.
  const worker = new Worker(settings.script, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: settings.heapMegabytes },
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

  function run(job: Job): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let isOver = false;
    const end = (isReusable: boolean, finish: () => void): void => {
      if (isOver) return;
      isOver = true;
      talk.over();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      job.signal?.removeEventListener('abort', onAbort);
      worker.unref();
      if (!isReusable) stop();
      finish();
    };
    const going: GoingJob<Request, Result> = {
      get isOver() {
        return isOver;
      },
      send: (request, transfer = []) => worker.postMessage(request, transfer),
      done: (result, { reusable }) => end(reusable, () => resolve(result)),
      failed: ({ code, message, reason, reusable }) => end(reusable, () => reject(failure(code, message, reason))),
      kill: (error) => end(false, () => reject(error)),
    };
    const talk = settings.talk(job, going);
    const onMessage = (answer: Answer): void => talk.take(answer);
    const onError = (error: Error & { code?: string }): void =>
      going.kill(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? failure('parse_out_of_memory', settings.crash.outOfMemory, error)
          : failure('parser_crashed', settings.crash.other, error),
      );
    const onExit = (): void => going.kill(failure('parser_crashed', settings.crash.other, undefined));
    const onAbort = (): void => going.kill(job.signal?.reason);

    if (job.signal?.aborted) {
      onAbort();
      return promise;
    }
    job.signal?.addEventListener('abort', onAbort);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    talk.begin();
    return promise;
  }

  return {
    run,
    stop,
    get alive() {
      return alive;
    },
  };
}

function failure(code: ParseError['code'], message: string, cause: unknown): ParseError {
  const error = new ParseError(code, message);
  if (cause !== undefined) error.cause = cause;
  return error;
}
