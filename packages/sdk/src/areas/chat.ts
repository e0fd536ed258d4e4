import type { OrganizationApi } from '../client/organization-api.ts';
import { createChatCalls } from './chat-calls.ts';
import { Conversation } from './conversation.ts';
import { createThreads } from './threads.ts';

export type Chat = ReturnType<typeof createChat>;

/** The agent of one document. */
export function createChat(api: OrganizationApi) {
  const calls = createChatCalls(api);
  return {
    ...calls,

    threads: createThreads(api),

    /** A conversation: a new one, or the one of a thread. */
    conversation(documentId: string, threadId?: string): Conversation {
      return new Conversation(calls, documentId, threadId);
    },
  };
}
