import type { CallAnswers, CallDecision, Mention, TurnAnswer, TurnEvent, UndoAnswer } from '@docwright/contract';
import type { Chat } from '../areas/chat.ts';
import { clientError } from '../client/docwright-error.ts';
import type { CallOptions } from '../client/transport.ts';

export interface FollowOptions extends CallOptions {
  /** Told of everything that the turn says, as it says it. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}

export interface SayOptions extends FollowOptions {
  mentions?: Mention[] | undefined;
  model?: string | undefined;
  /** Tools that may write in this turn without being asked for; a deny rule holds over them. */
  autoApprovedTools?: string[] | undefined;
  /** Every tool may write in this turn without being asked for, save by a deny rule. */
  autoApprove?: boolean | undefined;
}

/**
 * A conversation with the agent of one document. Each step answers the turn as it stands at its next pause or end; look at
 * its `status`: `awaiting_approval` wants `approve` or `reject`, `awaiting_answers` wants `answer`.
 */
export class Conversation {
  readonly #chat: Chat;
  readonly documentId: string;
  /** Set once something was said. */
  threadId: string | undefined;
  /** The turn as it last answered. */
  turn: TurnAnswer | undefined;

  constructor(chat: Chat, documentId: string, threadId?: string) {
    this.#chat = chat;
    this.documentId = documentId;
    this.threadId = threadId;
  }

  /** Says something and waits for the turn's next pause or end. What waited before is superseded. */
  async say(message: string, options: SayOptions = {}): Promise<TurnAnswer> {
    const { mentions, model, autoApprovedTools, autoApprove, ...follow } = options;
    const body = {
      messages: [{ role: 'user' as const, content: message }],
      ...(this.threadId !== undefined && { thread_id: this.threadId }),
      ...(mentions && { mentions }),
      ...(model !== undefined && { model }),
      ...(autoApprovedTools && { auto_approved_tools: autoApprovedTools }),
      ...(autoApprove === true && { auto_approve: true }),
    };
    return await this.#until(this.#chat.stream(this.documentId, body, follow), follow);
  }

  /** Approves all calls that wait, or decides as told; a write call without a decision counts as rejected. */
  async approve(decisions?: CallDecision[], options: FollowOptions = {}): Promise<TurnAnswer> {
    return await this.#decide(
      decisions ?? this.#waiting().map((call_id) => ({ call_id, approved: true })),
      [],
      options,
    );
  }

  /** Rejects all calls that wait; the agent gets to read the reason. */
  async reject(reason?: string, options: FollowOptions = {}): Promise<TurnAnswer> {
    const because = reason === undefined ? {} : { reason };
    const decisions = this.#waiting().map((call_id) => ({ call_id, approved: false, ...because }));
    return await this.#decide(decisions, [], options);
  }

  /** Answers the questions that the agent asked. */
  async answer(answers: CallAnswers[], options: FollowOptions = {}): Promise<TurnAnswer> {
    return await this.#decide([], answers, options);
  }

  /** Takes back all that the last turn changed, or nothing: 409 names what has changed since. */
  async undo(options?: CallOptions): Promise<UndoAnswer> {
    return await this.#chat.undo(this.documentId, this.#last().turn_id, options);
  }

  async #decide(approvals: CallDecision[], answers: CallAnswers[], options: FollowOptions): Promise<TurnAnswer> {
    const body = { turn_id: this.#last().turn_id, approvals, ...(answers.length > 0 && { answers }) };
    return await this.#until(this.#chat.streamApproval(this.documentId, body, options), options);
  }

  async #until(
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

  #waiting(): string[] {
    const { status, tool_calls } = this.#last();
    if (status !== 'awaiting_approval') {
      throw clientError('invalid_argument', `Nothing waits for approval: the turn's status is ${status}.`);
    }
    return tool_calls.filter(({ needs_approval }) => needs_approval).map(({ id }) => id);
  }

  #last(): TurnAnswer {
    if (this.turn === undefined) throw clientError('invalid_argument', 'Say something first: no turn has begun.');
    return this.turn;
  }
}
