import type {
  AskRows,
  askBody,
  askRowsQuery,
  createThreadAnswer,
  latestTurnAnswer,
  Thread,
  threadList,
  ThreadSummary,
  TurnAnswer,
  toolList,
} from '@docwright/contract';
import type { z } from 'zod';
import { modelTimeout, type OrganizationApi } from '../../client/organization-api.ts';
import type { CallOptions } from '../../client/transport.ts';
import { TurnStream } from '../../turns/turn-stream.ts';
import type { ApproveRequest, TurnState } from './chat-calls.ts';
import type { ThreadQuery } from './threads.ts';

/** A question over many documents. The new message is the last of `messages`. */
export type AskRequest = Omit<z.input<typeof askBody>, 'stream'>;

const eventStream = { accept: 'text/event-stream' };

/** Questions over many documents. Each sentence of an answer is checked against what it cites. */
export function createAsk(api: OrganizationApi) {
  const events = (turnId: string, lastEventId: number, options?: CallOptions) =>
    api.open(['ask', 'turns', turnId, 'events'], {
      ...options,
      headers: { ...eventStream, 'last-event-id': String(lastEventId) },
    });
  const streamOf = (segments: string[], body: object, options: CallOptions | undefined, turnId?: string) =>
    new TurnStream({
      start: () =>
        api.open(segments, { ...options, method: 'POST', body: { ...body, stream: true }, headers: eventStream }),
      // The first request can have started a turn without an answer; a repeated decision runs nothing.
      canStartAgain: turnId !== undefined,
      resume: (id, last) => events(id, last, options),
      ...(turnId !== undefined && { turnId }),
      signal: options?.signal,
    });
  return {
    /**
     * Asks and waits for the whole answer.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const messages = [{ role: 'user' as const, content: 'What did we pay Contoso?' }];
     * const { text, claims = [] } = await docwright.ask.send({ messages });
     * const wrong = claims.filter(({ support }) => support === 'unsupported');
     * console.log(text, wrong.map(({ text: sentence, why }) => `${sentence}: ${why}`));
     * ```
     */
    send: (body: AskRequest, options?: CallOptions): Promise<TurnAnswer> =>
      api.send('POST', ['ask'], body, { timeoutMs: modelTimeout, ...options }),
    /** Asks. The stream ends when the turn pauses or finishes; `claims` comes before `done`. */
    stream: (body: AskRequest, options?: CallOptions): TurnStream => streamOf(['ask'], body, options),
    /** Answers the questions of a turn, or decides on its calls. */
    approve: (body: ApproveRequest, options?: CallOptions): Promise<TurnAnswer> =>
      api.send('POST', ['ask', 'approve'], body, { timeoutMs: modelTimeout, ...options }),
    /** The same as a stream. */
    streamApproval: (body: ApproveRequest, options?: CallOptions): TurnStream =>
      streamOf(['ask', 'approve'], body, options, body.turn_id),
    /** Lists the tools of the agent. */
    tools: (options?: CallOptions): Promise<z.infer<typeof toolList>> => api.get(['ask', 'tools'], {}, options),
    /** Lists the documents and values that a citation rests on, as they are now. */
    rows: (
      threadId: string,
      citationId: string,
      query: Partial<z.output<typeof askRowsQuery>> = {},
      options?: CallOptions,
    ): Promise<AskRows> => api.get(['ask', 'threads', threadId, 'rows', citationId], { ...query }, options),
    /** The current state of a turn. */
    turn: (turnId: string, options?: CallOptions): Promise<TurnState> => api.get(['ask', 'turns', turnId], {}, options),
    /** Stops a turn at the next safe point. */
    stop: (turnId: string, options?: CallOptions): Promise<TurnState> =>
      api.send('POST', ['ask', 'turns', turnId, 'stop'], {}, options),
    /** Replays a turn after an event (0: from its start) and follows it until it pauses or finishes. */
    events: (turnId: string, lastEventId = 0, options?: CallOptions): TurnStream =>
      new TurnStream({
        start: () => events(turnId, lastEventId, options),
        canStartAgain: true,
        resume: (id, last) => events(id, last, options),
        turnId,
        signal: options?.signal,
      }),
    /** The user's own conversations over many documents. */
    threads: {
      /** Lists a page of conversations, without their messages. */
      list: (query: ThreadQuery = {}, options?: CallOptions): Promise<z.infer<typeof threadList>> =>
        api.get(['ask', 'threads'], { ...query }, options),
      /** Creates an empty conversation. */
      create: (title?: string, options?: CallOptions): Promise<z.infer<typeof createThreadAnswer>> =>
        api.send('POST', ['ask', 'threads'], title === undefined ? {} : { title }, options),
      /** A conversation with its messages. */
      get: (threadId: string, options?: CallOptions): Promise<Thread> =>
        api.get(['ask', 'threads', threadId], {}, options),
      /** The state of the newest turn, cheap enough to poll. */
      latestTurn: (threadId: string, options?: CallOptions): Promise<z.infer<typeof latestTurnAnswer>> =>
        api.get(['ask', 'threads', threadId, 'latest_turn'], {}, options),
      /** Changes the title. */
      rename: (threadId: string, title: string, options?: CallOptions): Promise<ThreadSummary> =>
        api.send('PATCH', ['ask', 'threads', threadId], { title }, options),
      /** Deletes a conversation with its messages. */
      delete: (threadId: string, options?: CallOptions): Promise<void> =>
        api.delete(['ask', 'threads', threadId], options),
    },
  };
}
