import type { OrganizationApi } from '../../client/organization-api.ts';
import { createChatCalls } from './chat-calls.ts';
import { Conversation } from './conversation.ts';
import { createThreads } from './threads.ts';

/** The type of `docwright.chat`. */
export type Chat = ReturnType<typeof createChat>;

/** Conversations with the agent of a document. */
export function createChat(api: OrganizationApi) {
  const calls = createChatCalls(api);
  return {
    ...calls,

    threads: createThreads(api),

    /** A new conversation, or the conversation of a thread. */
    conversation(documentId: string, threadId?: string): Conversation {
      return new Conversation(calls, documentId, threadId);
    },
  };
}
