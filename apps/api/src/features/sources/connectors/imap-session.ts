import { Worker } from 'node:worker_threads';
import type { ImapAnswer, ImapCommand, ImapResults } from './imap-thread.ts';

/** Why a mail server could not be asked. */
export class MailServerError extends Error {
  readonly code = 'mail_server_failed';
  /** Whether the server refused the user or the password. */
  readonly isRefused: boolean;
  /** Whether the server sent more than the command allowed, which has ended the connection. */
  readonly isTooLarge: boolean;
  /** Whether the server did not answer in time. */
  readonly isLate: boolean;

  constructor(message: string, { isRefused = false, isTooLarge = false, isLate = false } = {}) {
    super(message);
    this.isLate = isLate;
    this.isRefused = isRefused;
    this.isTooLarge = isTooLarge;
  }
}

/** A connection to a mail server, in a thread of its own. */
export interface ImapSession {
  /**
   * Sends one command after the other. Throws `MailServerError` for one that fails, and for each one after the connection was
   * lost. An abort ends the connection, and the command rejects with the signal's reason.
   */
  run<Name extends ImapCommand['do']>(
    command: Extract<ImapCommand, { do: Name }>,
    signal?: AbortSignal,
  ): Promise<ImapResults[Name]>;
  /** Signs out if no command is running, and ends the connection. */
  leave(): Promise<void>;
}

/** The structures of 500 mails, or the numbers of 800,000, need a tenth of it. */
const maxHeapMegabytes = 192;
const quick = new Set<ImapCommand['do']>(['connect', 'open_folder', 'require_folder', 'look_again']);
const quickMs = 60_000;
/** A mail server that is busy asks for pauses of up to five minutes. */
const patientMs = 6 * 60_000;
const leaveMs = 5_000;
/** The slowest that a server may send a mail or a list. */
const bytesPerMs = 128;

/**
 * What a mail server sends is parsed in a thread: a hostile one makes each byte as dear as it can, and the thread of the
 * requests would stand still for seconds. A server that is too slow, or needs too much memory, loses its thread.
 */
export function openImapSession(): ImapSession {
  // No environment: the thread needs no settings of the process.
  const worker = new Worker(new URL('./imap-thread.ts', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  worker.unref();
  let fail: ((error: unknown) => void) | undefined;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();

  function end(error: unknown): void {
    if (!isOver) void worker.terminate();
    isOver = true;
    fail?.(error);
  }
  worker.on('error', () => end(new MailServerError('What the server sent could not be kept in memory.')));
  worker.on('exit', () => end(new MailServerError('The connection has ended.')));

  async function ask(command: ImapCommand, milliseconds: number, signal?: AbortSignal): Promise<ImapAnswer> {
    signal?.throwIfAborted();
    if (isOver) throw new MailServerError('The connection has ended.');
    const { promise, resolve, reject } = Promise.withResolvers<ImapAnswer>();
    fail = reject;
    const onAbort = (): void => end(signal?.reason);
    const timer = setTimeout(() => end(late()), milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.once('message', resolve).ref();
    worker.postMessage(command, []);
    try {
      return await promise;
    } finally {
      fail = undefined;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', resolve).unref();
    }
  }

  return {
    async run(command, signal) {
      const milliseconds = (quick.has(command.do) ? quickMs : patientMs) + command.expectedBytes / bytesPerMs;
      const asked = last.then(() => ask(command, milliseconds, signal));
      last = asked.catch(() => undefined);
      const answer = await asked;
      if (answer.type === 'failed') throw new MailServerError('The server refused the command.', answer);
      return answer.result as never;
    },
    async leave() {
      if (!isOver && fail === undefined) {
        await ask({ do: 'leave', expectedBytes: leaveBytes }, leaveMs).catch(() => undefined);
      }
      end(new MailServerError('The connection has ended.'));
    },
  };
}

const leaveBytes = 64 * 1024;

const late = () => new MailServerError('The server did not answer in time.', { isLate: true });
