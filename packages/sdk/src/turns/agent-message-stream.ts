import type { AgentMessageAnswer, AgentMessageEvent } from '@docwright/contract';
import { clientError, DocwrightError } from '../client/docwright-error.ts';
import { readFrames } from '../client/server-sent-events.ts';

/**
 * What is said while the pipeline agent answers a message; can be iterated once. Leaving the loop, an abort or a lost
 * connection leaves the answer going on in the server: `agentConversations.waitForAnswer` waits for its end, and
 * `agentConversations.stop` ends it.
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

  /** Reads what is left and gives the answer. */
  async answer(): Promise<AgentMessageAnswer> {
    let next = await this.#events.next();
    while (next.done !== true) next = await this.#events.next();
    if (this.#answer === undefined) throw lost();
    return this.#answer;
  }

  /** @throws DocwrightError also for an `error` event, after it was given. */
  async *#read(
    open: () => Promise<Response>,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentMessageEvent, void, undefined> {
    for await (const { data } of readFrames(await open(), signal)) {
      const event = JSON.parse(data) as AgentMessageEvent;
      if (event.type === 'done') this.#answer = event.result;
      yield event;
      if (event.type === 'done') return;
      if (event.type === 'error') throw new DocwrightError({ code: event.code, message: event.message });
    }
    throw lost();
  }
}

function lost(): DocwrightError {
  return clientError(
    'connection_lost',
    'The connection was lost or left before the answer was whole. It may go on in the server.',
  );
}
