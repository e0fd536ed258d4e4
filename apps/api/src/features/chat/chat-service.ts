import { historyOfThread, resolveMentions, historyOf, type TurnSettings } from '@docwright/agent-core';
import { type ChatBody, DomainError } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import { emptyWorkingState, threadOrThrow, ownerOf, type NewThreadMessage } from '../threads/index.ts';
import { maxHistoryMessages, startTurn, type ChatServiceDependencies } from './running/start-turn.ts';
import type { RunningTurn } from './running/turn-runner.ts';

/** Starts turns. `ApprovalService` decides pending ones. */
export type ChatService = ReturnType<typeof createChatService>;

/**
 * A longer history starts at the same message for fifty messages, so that consecutive requests share a prefix that
 * the endpoint can cache.
 */
function historyLimitFor(messageCount: number): number {
  return messageCount <= maxHistoryMessages ? maxHistoryMessages : maxHistoryMessages + (messageCount % 50);
}

export function createChatService(dependencies: ChatServiceDependencies) {
  const { profileOf, endPendingTurn } = dependencies;

  return {
    async start(
      actor: Actor,
      documentId: string,
      body: ChatBody & Pick<TurnSettings, 'ask' | 'language'>,
    ): Promise<RunningTurn> {
      checkChatBody(body, (name) => profileOf(documentId).tools.get(name) !== undefined);
      const owner = ownerOf(actor, documentId);
      const threads = dependencies.threadsOf(owner);
      const turns = dependencies.turnsOf(owner);
      const { organizationId, userId } = actor;
      const chooseModel = async (last?: string) => {
        const model = await dependencies.chooseModel(actor, body.model, last);
        await dependencies.llmFor({ organizationId, userId, documentId }).requireAllowed?.(model);
        return model;
      };
      const isNewThread = body.thread_id === undefined;
      const [document, known, started] = await Promise.all([
        dependencies.documentOf(actor, documentId),
        body.thread_id === undefined ? undefined : threads.get(body.thread_id).then(threadOrThrow),
        isNewThread ? Promise.all([chooseModel(), dependencies.startingState(actor, documentId)]) : undefined,
      ]);
      const cutTo = body.truncate_thread_to_message_count;
      if (known && cutTo !== undefined) requireCutWithin(cutTo, await threads.countMessages(known.id));
      const services = dependencies.servicesFor(actor, document, { ...(body.ask && { ask: body.ask }) });
      const mentions = body.mentions ?? [];
      await resolveMentions(services, mentions);
      const model = started?.[0] ?? (await chooseModel(known?.model));

      const reasoning = (body.reasoning === undefined ? known?.reasoning : body.reasoning) ?? undefined;
      const added = newThreadMessages(body);
      const workingState = known?.working_state ?? started?.[1] ?? emptyWorkingState;
      // A new thread is stored together with its first messages and its turn: it has no history and no other turn.
      const created = known
        ? undefined
        : threads.prepare({ model, reasoning, working_state: workingState, messages: added });
      const thread = known ?? created!.thread;
      const pending = known && (await turns.pendingIn(known.id));
      if (pending) await endPendingTurn(owner, pending, 'superseded');
      const { auto_approve: autoApprove, auto_approved_tools: autoApprovedTools, time_zone } = body;
      return startTurn(dependencies, {
        actor,
        owner,
        threadId: thread.id,
        isNewThread,
        threadWrites: created?.writes,
        settings: {
          model,
          ...(reasoning !== undefined && { reasoning }),
          mentions,
          autoApprove,
          autoApprovedTools,
          ...(time_zone !== undefined && { timeZone: time_zone }),
          ...(body.language !== undefined && { language: body.language }),
          ...(body.ask && { ask: body.ask }),
        },
        services,
        workingState,
        async messages() {
          if (cutTo !== undefined) await threads.truncate(thread.id, cutTo);
          const count = known ? await threads.countMessages(known.id) : 0;
          const before = known ? await threads.history(known.id, historyLimitFor(count)) : [];
          if (known) await threads.append(known.id, added, { model, reasoning: body.reasoning });
          return historyOfThread([...before, ...added]);
        },
      });
    },
  };
}

/** Checks rules between fields that the schema of the body cannot express. Throws a DomainError of kind `invalid`. */
function checkChatBody(body: ChatBody, isTool: (name: string) => boolean): void {
  if (body.auto_approve && !body.stream) {
    throw invalid(
      'auto_approve_needs_stream',
      'auto_approve: true needs stream: true, because such a turn can run for a long time. Set stream: true.',
    );
  }
  const unknown = body.auto_approved_tools.find((name) => !isTool(name));
  if (unknown !== undefined) {
    throw invalid('unknown_tool', `auto_approved_tools names "${unknown}", which is not a tool. Read …/chat/tools.`);
  }
  if (body.truncate_thread_to_message_count !== undefined && body.thread_id === undefined) {
    throw invalid('thread_id_missing', 'truncate_thread_to_message_count needs the thread_id of the thread to cut.');
  }
  const last = body.messages.at(-1);
  if (last?.role !== 'user' || (last.content ?? '').trim() === '') {
    throw invalid('last_message_not_user', 'The last message must have the role "user" and some text.');
  }
}

/** A client that wants to keep more messages than are stored has another state of the thread than the server. */
function requireCutWithin(count: number, stored: number): void {
  if (count <= stored) return;
  throw invalid(
    'thread_shorter',
    `The thread has ${stored} messages, so truncate_thread_to_message_count must be 0 to ${stored}. Read the thread again.`,
  );
}

/**
 * The messages of a request as the thread stores them. Mentions belong to the last message. Tool calls that a client
 * sends are stored as text, so that nothing runs them.
 */
function newThreadMessages({ messages, mentions = [], ask }: ChatBody & Pick<TurnSettings, 'ask'>): NewThreadMessage[] {
  return historyOf(messages).flatMap((message, index): NewThreadMessage[] => {
    const { content } = message;
    if (message.role === 'tool') return [{ role: 'tool', tool_call_id: message.callId, content }];
    if (message.role === 'assistant') {
      const tool_calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
        id,
        name,
        arguments: args,
      }));
      return [{ role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) }];
    }
    if (message.role === 'system') return [];
    const isLast = index === messages.length - 1;
    const scope = isLast ? ask?.scope : undefined;
    return [{ role: 'user', content, ...(isLast && mentions.length > 0 && { mentions }), ...(scope && { scope }) }];
  });
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
