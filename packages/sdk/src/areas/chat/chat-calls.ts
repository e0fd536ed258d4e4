import type {
  approveBody,
  CallEvaluationStarted,
  chatBody,
  EvaluateCallBody,
  toolList,
  turnStatus,
  TurnAnswer,
  UndoAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { modelTimeout, type OrganizationApi } from '../../client/organization-api.ts';
import type { CallOptions } from '../../client/transport.ts';
import { TurnStream } from '../../turns/turn-stream.ts';

/** The body of `chat.send` and `chat.stream`. A new message is the last of `messages`. */
export type ChatRequest = Omit<z.input<typeof chatBody>, 'stream'>;
/** The body of `chat.approve` and `chat.streamApproval`: decisions and answers for the pending calls of a turn. */
export type ApproveRequest = Omit<z.input<typeof approveBody>, 'stream'>;
/** The tools of the agent of a document, with their effects and their parameters as JSON Schema. */
export type ToolList = z.infer<typeof toolList>;
/** The current state of a turn. While `status` is `running`, it has the text and the calls so far. */
export type TurnState = Omit<TurnAnswer, 'status'> & { status: z.infer<typeof turnStatus> | 'running' };

const eventStream = { accept: 'text/event-stream' };

/** The requests of `docwright.chat`, without threads and conversations. A `Conversation` needs no more. */
export type ChatCalls = ReturnType<typeof createChatCalls>;

/** The requests of a chat with the agent of one document. */
export function createChatCalls(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'chat', ...rest];

  const events = (documentId: string, turnId: string, lastEventId: number, options?: CallOptions) =>
    api.open(at(documentId, 'turns', turnId, 'events'), {
      ...options,
      headers: { ...eventStream, 'last-event-id': String(lastEventId) },
    });
  const post = (segments: string[], body: object, options?: CallOptions) =>
    api.open(segments, { ...options, method: 'POST', body: { ...body, stream: true }, headers: eventStream });

  return {
    /** Lists the tools of the agent. */
    tools(documentId: string, options?: CallOptions): Promise<ToolList> {
      return api.get(at(documentId, 'tools'), {}, options);
    },

    /** Sends a message and waits for the whole answer. For long turns, `stream` is more reliable. */
    send(documentId: string, body: ChatRequest, options?: CallOptions): Promise<TurnAnswer> {
      return api.send('POST', at(documentId), body, { timeoutMs: modelTimeout, ...options });
    },

    /**
     * Sends a message. The stream ends when the turn pauses or finishes.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const messages = [{ role: 'user' as const, content: 'Extract the invoice number.' }];
     * const stream = docwright.chat.stream('652f1c0a9d3e4b5f6a7b8c9d', { messages });
     * for await (const event of stream) if (event.type === 'assistant_text_chunk') console.log(event.chunk);
     * console.log((await stream.answer()).status);
     * ```
     */
    stream(documentId: string, body: ChatRequest, options?: CallOptions): TurnStream {
      return new TurnStream({
        start: () => post(at(documentId), body, options),
        // The first request can have started a turn without an answer.
        canStartAgain: false,
        resume: (turnId, lastEventId) => events(documentId, turnId, lastEventId, options),
        signal: options?.signal,
      });
    },

    /** Decides on the pending calls. Repeating the same decisions returns the same answer and runs nothing. */
    approve(documentId: string, body: ApproveRequest, options?: CallOptions): Promise<TurnAnswer> {
      return api.send('POST', at(documentId, 'approve'), body, { timeoutMs: modelTimeout, ...options });
    },

    /** Decides on the pending calls. The stream ends when the turn pauses or finishes. */
    streamApproval(documentId: string, body: ApproveRequest, options?: CallOptions): TurnStream {
      return new TurnStream({
        start: () => post(at(documentId, 'approve'), body, options),
        canStartAgain: true,
        resume: (turnId, lastEventId) => events(documentId, turnId, lastEventId, options),
        turnId: body.turn_id,
        signal: options?.signal,
      });
    },

    /** The current state of a turn. */
    turn(documentId: string, turnId: string, options?: CallOptions): Promise<TurnState> {
      return api.get(at(documentId, 'turns', turnId), {}, options);
    },

    /** Replays a turn after an event (0: from its start) and follows it until it pauses or finishes. */
    events(documentId: string, turnId: string, lastEventId = 0, options?: CallOptions): TurnStream {
      return new TurnStream({
        start: () => events(documentId, turnId, lastEventId, options),
        canStartAgain: true,
        resume: (id, last) => events(documentId, id, last, options),
        turnId,
        signal: options?.signal,
      });
    },

    /**
     * Starts to measure the effect of a pending prompt or schema change on verified documents. `evaluations.wait` waits
     * for the result.
     */
    evaluate(
      documentId: string,
      turnId: string,
      callId: string,
      body: EvaluateCallBody = {},
      options?: CallOptions,
    ): Promise<CallEvaluationStarted> {
      return api.send('POST', at(documentId, 'turns', turnId, 'calls', callId, 'evaluate'), body, options);
    },

    /** Stops a running turn at the next safe point. A pending turn finishes with its calls rejected. */
    stop(documentId: string, turnId: string, options?: CallOptions): Promise<TurnState> {
      return api.send('POST', at(documentId, 'turns', turnId, 'stop'), undefined, options);
    },

    /** Undoes all changes of a turn, or none: an error with status 409 names the objects that have changed since. */
    undo(documentId: string, turnId: string, options?: CallOptions): Promise<UndoAnswer> {
      return api.send('POST', at(documentId, 'turns', turnId, 'undo'), undefined, options);
    },
  };
}
