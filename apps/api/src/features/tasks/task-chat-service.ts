import {
  DomainError,
  maxAgentResponse,
  type TaskChatAnswer,
  type TaskChatBody,
  type TaskConversation,
  type TaskConversationDetail,
} from '@docwright/contract';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { Actor } from '../identity/index.ts';
import type { StoredConversation, TaskConversationRepository } from './task-conversation-repository.ts';
import { runTaskTurn, type TaskTurnDependencies, type TaskTurnEnd } from './task-turn.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface TaskChatDependencies extends TaskTurnDependencies {
  conversations: TaskConversationRepository;
  log: { error(fields: object, message: string): void };
}

interface AskedMessage {
  text: string;
  /** The language that the user's client accepts first. */
  language?: string | undefined;
}

/** Chats about the caller's tasks. Throws `conversation_not_found`, and `not_your_conversation` for another user's. */
export type TaskChatService = ReturnType<typeof createTaskChatService>;

/** The number of earlier messages that the model receives, each answer with its calls and results. */
const historyLength = 20;
const titleLength = 50;
/** If a process dies, its conversations are free again after this time. */
const leaseMs = 8_000;
const renewEveryMs = 2_000;

export function createTaskChatService(dependencies: TaskChatDependencies) {
  const { conversations, log } = dependencies;
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function getOwnOrThrow(actor: Actor, id: number): Promise<StoredConversation> {
    const found = await conversations.get(id);
    if (found !== undefined && found.owner.userId !== actor.userId) {
      throw new DomainError('forbidden', 'not_your_conversation', 'This conversation belongs to another user.');
    }
    if (found === undefined || found.owner.organizationId !== actor.organizationId) {
      const cure = 'Omit conversation_id to start one.';
      throw new DomainError('not_found', 'conversation_not_found', `There is no such conversation. ${cure}`);
    }
    return found;
  }

  async function answer(
    actor: Actor,
    conversation: StoredConversation,
    { text, language }: AskedMessage,
    token: string,
    signal: AbortSignal,
  ): Promise<TaskChatAnswer> {
    const earlier = await conversations.messagesAsSent(conversation, historyLength);
    const question = await conversations.addMessage(conversation, token, {
      role: 'user',
      content: text,
      tool_calls: [],
    });
    const turn = { earlier, message: text, language, signal };
    const end = await runTaskTurn(dependencies, actor, conversation.threadId, turn);
    const { tool_calls } = end;
    if (end.cause !== undefined) log.error({ err: end.cause, conversation_id: conversation.id }, 'a task turn failed');
    const content = withinLength(answerText(end));
    const answered = await conversations.addMessage(conversation, token, {
      role: 'assistant',
      content,
      tool_calls,
      ...(end.sent !== undefined && { sent: end.sent }),
    });
    return {
      conversation_id: conversation.id,
      user_message_id: question.id,
      agent_message_id: answered.id,
      agent_response: content,
      tool_calls,
    };
  }

  async function answerAndRelease(
    actor: Actor,
    conversation: StoredConversation,
    message: AskedMessage,
    token: string,
  ) {
    const heartbeat = startHeartbeat(() => conversations.renew(conversation, token, leaseMs), renewEveryMs);
    try {
      return await answer(actor, conversation, message, token, AbortSignal.any([stopping.signal, heartbeat.lost]));
    } catch (error) {
      if (isDatabaseUnavailable(error) || isForUser(error)) throw error;
      log.error({ err: error, conversation_id: conversation.id }, 'answering a task message failed');
      throw unavailable();
    } finally {
      await heartbeat.stop();
      await conversations.release(conversation, token);
    }
  }

  return {
    /** Stores the message and starts the agent. The answer is stored even if the client disconnects. */
    async send(
      actor: Actor,
      { message, conversation_id, language }: TaskChatBody & Pick<AskedMessage, 'language'>,
    ): Promise<{ answer: Promise<TaskChatAnswer> }> {
      const text = message?.trim() ?? '';
      if (text === '') {
        throw new DomainError('invalid', 'empty_message', 'The message is empty. Write what to do.');
      }
      const conversation =
        conversation_id === null || conversation_id === undefined
          ? await conversations.create(actor, text.slice(0, titleLength))
          : await getOwnOrThrow(actor, conversation_id);
      const token = await conversations.claim(conversation, leaseMs);
      if (token === undefined) {
        throw new DomainError(
          'conflict',
          'turn_running',
          'The agent is still answering the previous message. Wait for its answer, or start another conversation.',
        );
      }
      const answering = answerAndRelease(actor, conversation, { text, language }, token);
      // The caller of the answer receives the rejection.
      const finished = answering.catch(() => undefined).finally(() => running.delete(finished));
      running.add(finished);
      return { answer: answering };
    },
    async list(
      actor: Actor,
      page: PageSelection,
    ): Promise<{ conversations: TaskConversation[]; skip: number; limit: number } & PageEnd> {
      return { ...(await conversations.list(actor, page)), skip: page.skip, limit: page.limit };
    },
    async get(actor: Actor, id: number): Promise<TaskConversationDetail> {
      const stored = await getOwnOrThrow(actor, id);
      const { owner: _owner, threadId: _thread, ...conversation } = stored;
      return { ...conversation, messages: await conversations.messages(stored) };
    },
    /** Stops all running answers and waits until they are stored. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** The answer as text, never empty. Throws if the turn failed before its first call. */
function answerText({ text, status, tool_calls, cause }: TaskTurnEnd): string {
  // The loop ends a turn with an empty answer as failed.
  if (status === 'completed') return text.trim();
  if (tool_calls.length === 0) throw cause ?? unavailable();
  if (status === 'max_rounds')
    return 'This needed more steps than I am allowed to take at once. The changes so far stay. Tell me to continue.';
  return 'I was interrupted before I finished. The changes so far stay.';
}

const cutMark = ' … [The answer was longer. Ask for less at once.]';

/** Truncates long text between words if possible, never inside a surrogate pair. */
function withinLength(text: string): string {
  if (text.length <= maxAgentResponse) return text;
  const room = text.slice(0, maxAgentResponse - cutMark.length);
  const wholeWords = /^.*\S(?=\s)/su.exec(room)?.[0] ?? room;
  const cut = wholeWords.length > room.length - 200 ? wholeWords : room;
  return `${cut.toWellFormed().replace(/\uFFFD$/u, '')}${cutMark}`;
}

/** Whether the message of the error says what to do. */
function isForUser(error: unknown): boolean {
  return error instanceof DomainError && ['budget_exhausted', 'rate_limited', 'conflict'].includes(error.kind);
}

function unavailable(): DomainError {
  return new DomainError(
    'agent_failed',
    'agent_unavailable',
    'Agent is currently unavailable. Please try again later.',
  );
}
