import type { TurnAnswer, TurnEvent } from '@docwright/contract';
import { clientError, DocwrightError } from '../client/docwright-error.ts';
import { readEvent, readFrames } from '../client/server-sent-events.ts';
import { backoffMilliseconds, sleep } from '../client/sleep.ts';

/** The requests that a stream of a turn makes. */
export interface TurnSource {
  /** Sends the request that starts the stream. */
  start: () => Promise<Response>;
  /** Whether the first request can be repeated when its stream broke before the first event. */
  canStartAgain: boolean;
  /** Replays the turn after an event and follows it. */
  resume: (turnId: string, lastEventId: number) => Promise<Response>;
  /** Known before the stream starts, except for a new message. */
  turnId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Number of reconnects in a row without a new event: about half a minute. */
const maxFailures = 10;

/**
 * The events of a turn until it pauses or finishes. It can be iterated once. After a lost connection the stream resumes
 * where it broke, because the turn continues in the server. Leaving the loop, or aborting, does not stop the turn;
 * `chat.stop` stops it.
 *
 * @example
 * ```ts
 * import type { Docwright } from '@docwright/sdk';
 *
 * declare const docwright: Docwright;
 * const stream = docwright.chat.stream('652f1c0a9d3e4b5f6a7b8c9d', { messages: [{ role: 'user', content: 'Extract it.' }] });
 * for await (const event of stream) console.log(event);
 * ```
 */
export class TurnStream implements AsyncIterable<TurnEvent> {
  readonly #source: TurnSource;
  readonly #events: AsyncGenerator<TurnEvent, void, undefined>;
  #turnId: string | undefined;
  #lastEventId = 0;
  #answer: TurnAnswer | undefined;

  constructor(source: TurnSource) {
    this.#source = source;
    this.#turnId = source.turnId;
    this.#events = this.#follow();
  }

  /** Known once the turn has started. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** The id of the last event, 0 before the first. */
  get lastEventId(): number {
    return this.#lastEventId;
  }

  [Symbol.asyncIterator](): AsyncIterator<TurnEvent, void, undefined> {
    return this.#events;
  }

  /**
   * Reads the remaining events and returns the turn, which has paused or finished.
   *
   * @throws DocwrightError `connection_lost` if the stream could not be resumed; the code of an `error` event
   */
  async answer(): Promise<TurnAnswer> {
    let next = await this.#events.next();
    while (next.done !== true) next = await this.#events.next();
    if (this.#answer === undefined) {
      throw clientError('connection_lost', 'The stream was closed before the turn paused or finished.');
    }
    return this.#answer;
  }

  /** @throws DocwrightError also for an `error` event, after yielding it. */
  async *#follow(): AsyncGenerator<TurnEvent, void, undefined> {
    const { signal } = this.#source;
    for (let failures = 0; ; failures += 1) {
      const before = this.#lastEventId;
      try {
        const response = await this.#connect();
        for await (const frame of readFrames(response, signal)) {
          const event = this.#accept(frame);
          if (event === undefined) continue;
          yield event;
          if (event.type === 'done') return;
          if (event.type === 'error') throw new DocwrightError({ code: event.code, message: event.message });
        }
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        if (!isTemporary(error) || !this.#canContinue(error)) throw error;
      }
      if (this.#lastEventId > before) failures = 0;
      if (!this.#canContinue() || failures >= maxFailures) throw this.#connectionLost();
      await sleep(backoffMilliseconds(failures), signal);
    }
  }

  #connect(): Promise<Response> {
    const { start, resume } = this.#source;
    return this.#turnId !== undefined && this.#lastEventId > 0 ? resume(this.#turnId, this.#lastEventId) : start();
  }

  /** The event of a frame; undefined for a repeated one. */
  #accept(frame: { id: string | undefined; data: string }): TurnEvent | undefined {
    const id = Number(frame.id ?? 0);
    if (id <= this.#lastEventId) return undefined;
    this.#lastEventId = id;
    const event = readEvent(frame.data) as TurnEvent;
    if (event.type === 'turn_started') this.#turnId = event.turn_id;
    if (event.type === 'done') this.#answer = event.result;
    return event;
  }

  #canContinue(error?: unknown): boolean {
    if (this.#lastEventId > 0) return this.#turnId !== undefined;
    return this.#source.canStartAgain && !(error instanceof DocwrightError && error.status === 429);
  }

  #connectionLost(): DocwrightError {
    const message =
      this.#turnId === undefined
        ? 'The connection was lost, and it is unknown whether a turn started. Check the threads of the document before you send the message again.'
        : `The connection was lost and could not be resumed. Turn ${this.#turnId} may have continued: follow it later.`;
    return new DocwrightError({ code: 'connection_lost', message, details: { turn_id: this.#turnId } });
  }
}

/** Whether the error is temporary: the server was unreachable, is starting, or has too many readers. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof DocwrightError)) return false;
  return (
    ['unreachable', 'timeout', 'connection_lost'].includes(error.code) || [429, 502, 503, 504].includes(error.status)
  );
}
