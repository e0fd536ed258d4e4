import { historyOfThread, resolveMentions } from '@docwright/agent-core';
import type { ChatBody } from '@docwright/contract';
import type { Actor } from '../identity/actor.ts';
import { threadOrThrow, ownerOf } from '../threads/thread-service.ts';
import { startTurn, type ChatServiceDependencies } from './start-turn.ts';
import { checkChatBody, newThreadMessages, requireToBeCut } from './chat-message-rules.ts';
import type { TurnRun } from './turn-runner.ts';

/** Starts turns; what is decided about a waiting one is the ApprovalService's. */
export interface ChatService {
  start(actor: Actor, documentId: string, body: ChatBody): Promise<TurnRun>;
}

/** As many messages of a thread as a model may come to read; the loop cuts further, between whole exchanges. */
export const messagesRead = 200;

/** Beyond that, those that are read begin at the same message for fifty more: what is sent begins the same. */
function messagesReadOf(count: number): number {
  return count <= messagesRead ? messagesRead : messagesRead + (count % 50);
}

export function createChatService(dependencies: ChatServiceDependencies): ChatService {
  const { profile, endWaitingTurn } = dependencies;

  return {
    async start(actor, documentId, body) {
      checkChatBody(body, (name) => profile.tools.get(name) !== undefined);
      const document = await dependencies.documentOf(actor, documentId);
      const owner = ownerOf(actor, documentId);
      const threads = dependencies.threadsOf(owner);
      const turns = dependencies.turnsOf(owner);
      const known = body.thread_id === undefined ? undefined : threadOrThrow(await threads.get(body.thread_id));
      const cutTo = body.truncate_thread_to_message_count;
      if (known && cutTo !== undefined) requireToBeCut(cutTo, await threads.countMessages(known.id));
      const services = dependencies.servicesFor(actor, document);
      const mentions = body.mentions ?? [];
      await resolveMentions(services, mentions);
      const model = await dependencies.chooseModel(actor, body.model, known?.model);

      const added = newThreadMessages(body);
      const workingState = known?.working_state ?? (await dependencies.startingState(actor, document));
      // A new thread stands with its first messages at once: nothing can wait or run in it, and nothing has to be read.
      const thread = known ?? (await threads.create({ model, working_state: workingState, messages: added }));
      const waiting = known && (await turns.waitingIn(known.id));
      if (waiting) await endWaitingTurn(owner, waiting, 'superseded');
      const { auto_approve: autoApprove, auto_approved_tools: autoApprovedTools, time_zone } = body;
      return startTurn(dependencies, {
        actor,
        owner,
        threadId: thread.id,
        isNewThread: known === undefined,
        settings: {
          model,
          mentions,
          autoApprove,
          autoApprovedTools,
          ...(time_zone !== undefined && { timeZone: time_zone }),
        },
        services,
        workingState,
        async messages() {
          if (cutTo !== undefined) await threads.truncate(thread.id, cutTo);
          const count = known ? await threads.countMessages(known.id) : 0;
          const before = known ? await threads.history(known.id, messagesReadOf(count)) : [];
          if (known) await threads.append(known.id, added, { model });
          return historyOfThread([...before, ...added]);
        },
      });
    },
  };
}
