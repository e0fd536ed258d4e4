import type { AgentMessageAnswer, AgentMessageEvent } from '@docwright/contract';
import { clientError, DocwrightError } from '../client/docwright-error.ts';
import { readEvent, readFrames } from '../client/server-sent-events.ts';

/**
 * The events of the pipeline agent's answer to a message. It can be iterated once. Leaving the loop, an abort or a lost
 * connection does not stop the answer in the server: `agentConversations.waitForAnswer` waits for it, and
 * `agentConversations.stop` stops it.
 *
 * @example
 * ```ts
 * import type { Docwright } from '@docwright/sdk';
 *
 * declare const docwright: Docwright;
 * const answer = docwright.agentConversations.stream('652f1c0a9d3e4b5f6a7b8c9d', 'Build a pipeline.');
 * for await (const event of answer) console.log(event.type);
 * ```
 */
export class AgentMessageStream implements AsyncIterable<AgentMessageEvent> {
  readonly #events: AsyncGenerator<AgentMessageEvent, void, undefined>;
  #answer: AgentMessageAnswer | undefined;

  constructor(open: () => Promise<Response>, signal?: AbortSignal) {
    this.#events = this.#read(open, signal);
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentMessageEvent, void, undefined> {
    return this.#events;
  }

  /**
   * Reads the remaining events and returns the answer.
   *
   * @throws DocwrightError `connection_lost` if the stream broke; the code of an `error` event
   */
  async answer(): Promise<AgentMessageAnswer> {
    let next = await this.#events.next();
    while (next.done !== true) next = await this.#events.next();
    if (this.#answer === undefined) throw connectionLost();
    return this.#answer;
  }

  /** @throws DocwrightError also for an `error` event, after yielding it. */
  async *#read(
    open: () => Promise<Response>,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentMessageEvent, void, undefined> {
    for await (const { data } of readFrames(await open(), signal)) {
      const event = readEvent(data) as AgentMessageEvent;
      if (event.type === 'done') this.#answer = event.result;
      yield event;
      if (event.type === 'done') return;
      if (event.type === 'error') throw new DocwrightError({ code: event.code, message: event.message });
    }
    throw connectionLost();
  }
}

function connectionLost(): DocwrightError {
  return clientError(
    'connection_lost',
    'The connection was lost or closed before the answer was complete. The answer may continue on the server.',
  );
}
