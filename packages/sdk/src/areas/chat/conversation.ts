import type {
  CallAnswers,
  CallDecision,
  Mention,
  ReasoningLevel,
  TurnAnswer,
  TurnEvent,
  UndoAnswer,
} from '@docwright/contract';
import { clientError } from '../../client/docwright-error.ts';
import type { CallOptions } from '../../client/transport.ts';
import type { ChatCalls } from './chat-calls.ts';

/** Options of the methods of a `Conversation`. */
export interface FollowOptions extends CallOptions {
  /** Called with every event of the turn as it arrives. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}

/** Options of `Conversation.say`. */
export interface SayOptions extends FollowOptions {
  /** Schemas, prompts and tags that the message refers to. */
  mentions?: Mention[] | undefined;
  /** The id of a model. Default: the model of the thread. */
  model?: string | undefined;
  /** How much the model thinks. Default: as before in the thread; null: as the model's setting says. */
  reasoning?: ReasoningLevel | null | undefined;
  /** Tools that are allowed to write in this turn without approval. Deny rules have priority. */
  autoApprovedTools?: string[] | undefined;
  /** Allows every tool to write in this turn without approval. Deny rules have priority. */
  autoApprove?: boolean | undefined;
}

/**
 * A conversation with the agent of one document. Each method resolves when the turn pauses or finishes. Check the
 * result's `status`: `awaiting_approval` needs `approve` or `reject`, `awaiting_answers` needs `answer`.
 *
 * @throws DocwrightError from every method; `invalid_argument` when no turn has started.
 *
 * @example
 * ```ts
 * import type { Docwright } from '@docwright/sdk';
 *
 * declare const docwright: Docwright;
 * const conversation = docwright.conversation('652f1c0a9d3e4b5f6a7b8c9d');
 * let turn = await conversation.say('Extract the invoice number.');
 * while (turn.status === 'awaiting_approval') turn = await conversation.approve();
 * console.log(turn.status);
 * ```
 */
export class Conversation {
  readonly #chat: ChatCalls;
  /** The id of the document. */
  readonly documentId: string;
  /** The id of the thread; set after the first message. */
  threadId: string | undefined;
  /** The last state of the turn. */
  turn: TurnAnswer | undefined;

  constructor(chat: ChatCalls, documentId: string, threadId?: string) {
    this.#chat = chat;
    this.documentId = documentId;
    this.threadId = threadId;
  }

  /** Sends a message and waits until the turn pauses or finishes. A pending turn is superseded. */
  async say(message: string, options: SayOptions = {}): Promise<TurnAnswer> {
    const { mentions, model, reasoning, autoApprovedTools, autoApprove, ...follow } = options;
    const body = {
      messages: [{ role: 'user' as const, content: message }],
      ...(this.threadId !== undefined && { thread_id: this.threadId }),
      ...(mentions && { mentions }),
      ...(model !== undefined && { model }),
      ...(reasoning !== undefined && { reasoning }),
      ...(autoApprovedTools && { auto_approved_tools: autoApprovedTools }),
      ...(autoApprove === true && { auto_approve: true }),
    };
    return await this.#follow(this.#chat.stream(this.documentId, body, follow), follow);
  }

  /** Approves all pending calls, or applies the given decisions; a write call without a decision is rejected. */
  async approve(decisions?: CallDecision[], options: FollowOptions = {}): Promise<TurnAnswer> {
    return await this.#decide(
      decisions ?? this.#pendingCallIds().map((call_id) => ({ call_id, approved: true })),
      [],
      options,
    );
  }

  /** Rejects all pending calls. The agent reads the reason. */
  async reject(reason?: string, options: FollowOptions = {}): Promise<TurnAnswer> {
    const decisions = this.#pendingCallIds().map((call_id) => ({
      call_id,
      approved: false,
      ...(reason !== undefined && { reason }),
    }));
    return await this.#decide(decisions, [], options);
  }

  /** Answers the agent's questions. */
  async answer(answers: CallAnswers[], options: FollowOptions = {}): Promise<TurnAnswer> {
    return await this.#decide([], answers, options);
  }

  /** Undoes all changes of the last turn, or none: an error with status 409 names the objects that have changed since. */
  async undo(options?: CallOptions): Promise<UndoAnswer> {
    return await this.#chat.undo(this.documentId, this.#lastTurn().turn_id, options);
  }

  async #decide(approvals: CallDecision[], answers: CallAnswers[], options: FollowOptions): Promise<TurnAnswer> {
    const body = { turn_id: this.#lastTurn().turn_id, approvals, ...(answers.length > 0 && { answers }) };
    return await this.#follow(this.#chat.streamApproval(this.documentId, body, options), options);
  }

  async #follow(
    stream: AsyncIterable<TurnEvent> & { answer(): Promise<TurnAnswer> },
    { onEvent }: FollowOptions,
  ): Promise<TurnAnswer> {
    for await (const event of stream) {
      if (event.type === 'turn_started') this.threadId = event.thread_id;
      onEvent?.(event);
    }
    this.turn = await stream.answer();
    this.threadId = this.turn.thread_id;
    return this.turn;
  }

  #pendingCallIds(): string[] {
    const { status, tool_calls } = this.#lastTurn();
    if (status !== 'awaiting_approval') {
      throw clientError('invalid_argument', `No call is pending: the turn's status is ${status}.`);
    }
    return tool_calls.filter(({ needs_approval }) => needs_approval).map(({ id }) => id);
  }

  #lastTurn(): TurnAnswer {
    if (this.turn === undefined) throw clientError('invalid_argument', 'No turn has started. Send a message first.');
    return this.turn;
  }
}
