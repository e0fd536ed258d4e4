import {
  DomainError,
  maxAgentResponse,
  type PageQuery,
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

interface TaskChatDependencies extends TaskTurnDependencies {
  conversations: TaskConversationRepository;
  log: { error(fields: object, message: string): void };
}

/** Conversations about the tasks of whoever acts. No conversation is `conversation_not_found`, another person’s is 403. */
export interface TaskChatService {
  /** Stores the message and lets the agent answer it. The answer comes and is stored whether or not anybody waits for it. */
  say(actor: Actor, body: TaskChatBody): Promise<{ answer: Promise<TaskChatAnswer> }>;
  list(
    actor: Actor,
    page: PageQuery,
  ): Promise<{ conversations: TaskConversation[]; total_count: number; skip: number; limit: number }>;
  get(actor: Actor, id: number): Promise<TaskConversationDetail>;
  /** Ends what runs, so that it is stored before the database goes. */
  stop(): Promise<void>;
}

/** How many messages before the new one the model is given, each answer with its calls and results. */
const messagesGiven = 20;
const titleLength = 50;
/** A conversation whose process died is free again after so long. */
const leaseMs = 8_000;
const renewEveryMs = 2_000;

export function createTaskChatService(dependencies: TaskChatDependencies): TaskChatService {
  const { conversations, log } = dependencies;
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function own(actor: Actor, id: number): Promise<StoredConversation> {
    const found = await conversations.get(id);
    if (found !== undefined && found.owner.userId !== actor.userId) {
      throw new DomainError('forbidden', 'not_your_conversation', 'This conversation is somebody else’s.');
    }
    if (found === undefined || found.owner.organizationId !== actor.organizationId) {
      const cure = 'Leave conversation_id out to begin one.';
      throw new DomainError('not_found', 'conversation_not_found', `There is no such conversation. ${cure}`);
    }
    return found;
  }

  async function answer(
    actor: Actor,
    conversation: StoredConversation,
    message: string,
    token: string,
    signal: AbortSignal,
  ): Promise<TaskChatAnswer> {
    const earlier = await conversations.messagesAsSent(conversation, messagesGiven);
    const asked = await conversations.addMessage(conversation, token, {
      role: 'user',
      content: message,
      tool_calls: [],
    });
    const turn = { earlier, message, signal };
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
      user_message_id: asked.id,
      agent_message_id: answered.id,
      agent_response: content,
      tool_calls,
    };
  }

  async function answerInTurn(actor: Actor, conversation: StoredConversation, message: string, token: string) {
    const heartbeat = startHeartbeat(() => conversations.renew(conversation, token, leaseMs), renewEveryMs);
    try {
      return await answer(actor, conversation, message, token, AbortSignal.any([stopping.signal, heartbeat.lost]));
    } catch (error) {
      if (isDatabaseUnavailable(error) || isForThePerson(error)) throw error;
      log.error({ err: error, conversation_id: conversation.id }, 'the task agent could not answer');
      throw unavailable();
    } finally {
      await heartbeat.stop();
      await conversations.release(conversation, token);
    }
  }

  return {
    async say(actor, { message, conversation_id }) {
      const text = message?.trim() ?? '';
      if (text === '') {
        throw new DomainError('invalid', 'empty_message', 'The message is empty: write what is to be done.');
      }
      const conversation =
        conversation_id === null || conversation_id === undefined
          ? await conversations.create(actor, text.slice(0, titleLength))
          : await own(actor, conversation_id);
      const token = await conversations.claim(conversation, leaseMs);
      if (token === undefined) {
        throw new DomainError(
          'conflict',
          'turn_running',
          'The agent still answers the message before in this conversation. Wait for its answer, or begin another conversation.',
        );
      }
      const answering = answerInTurn(actor, conversation, text, token);
      // Whoever waits for it gets the rejection itself.
      const finished = answering.catch(() => undefined).finally(() => running.delete(finished));
      running.add(finished);
      return { answer: answering };
    },
    async list(actor, { skip, limit }) {
      return { ...(await conversations.list(actor, { skip, limit })), skip, limit };
    },
    async get(actor, id) {
      const { owner: _owner, threadId: _thread, ...conversation } = await own(actor, id);
      return {
        ...conversation,
        messages: await conversations.messages({ ...conversation, owner: _owner, threadId: _thread }),
      };
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** In words, never empty. Where nothing was done that stays, a failure is the request’s own. */
function answerText({ text, status, tool_calls, cause }: TaskTurnEnd): string {
  if (status === 'completed' && text.trim() !== '') return text.trim();
  if (status === 'completed') return tool_calls.length > 0 ? 'Done.' : 'I have nothing to say to that.';
  if (tool_calls.length === 0) throw cause ?? unavailable();
  if (status === 'max_rounds')
    return 'This took more steps than I may take at once. What I did until then stays; tell me to go on.';
  return 'I was interrupted before I could finish. What I did until then stays.';
}

const cutMark = ' … [The answer was longer. Ask for less at once.]';

/** Cut between two characters as a person counts them, at a word where there is one. */
function withinLength(text: string): string {
  if (text.length <= maxAgentResponse) return text;
  const room = text.slice(0, maxAgentResponse - cutMark.length);
  const kept = /^.*\S(?=\s)/su.exec(room)?.[0] ?? room;
  const end = kept.length > room.length - 200 ? kept : room;
  return `${end.toWellFormed().replace(/\uFFFD$/u, '')}${cutMark}`;
}

function isForThePerson(error: unknown): boolean {
  return error instanceof DomainError && ['budget_exhausted', 'rate_limited', 'conflict'].includes(error.kind);
}

function unavailable(): DomainError {
  return new DomainError(
    'agent_failed',
    'agent_unavailable',
    'Agent is currently unavailable. Please try again later.',
  );
}
