import type { AgentConversation } from '@docwright/contract';
import { listAllOf } from '../client/every-page.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import { sleep } from '../client/sleep.ts';
import type { CallOptions } from '../client/transport.ts';
import { AgentMessageStream } from '../turns/agent-message-stream.ts';

/** Options of `agentConversations.waitForAnswer`. */
export interface WaitForAnswerOptions extends CallOptions {
  /** Called with the conversation after every poll; its `progress` describes the running answer. */
  onProgress?: ((conversation: AgentConversation) => void) | undefined;
}

const pollMs = 1_000;

/** Conversations with the agent that builds the pipeline of a source. Each belongs to the user who started it. */
export function createAgentConversations(api: OrganizationApi) {
  const at = (conversationId: string, ...rest: string[]) => ['agent', 'conversations', conversationId, ...rest];
  const list = api.operation('GET /api/v2/agent/conversations', 'query');
  const get = api.operation('GET /api/v2/agent/conversations/:conversation_id');
  return {
    /** Lists a page of the user's conversations, without their messages. */
    list,
    /** Yields all conversations of the user, without their messages. */
    listAll: listAllOf(list, ({ conversations }) => conversations),
    /** A conversation with its messages. */
    get,
    /** Starts a conversation about a source. */
    create: api.operation('POST /api/v2/agent/conversations', 'body'),

    /** Sends a message and waits for the whole answer, which can take minutes. `stream` shows the progress. */
    say: (conversationId: string, message: string, options: CallOptions = {}) =>
      api.operation('POST /api/v2/agent/conversations/:conversation_id/messages', 'body')(
        conversationId,
        { message },
        { timeoutMs: modelTimeout, ...options },
      ),

    /** Sends a message and streams the events of the answer, up to `done`. A broken stream cannot be resumed. */
    stream: (conversationId: string, message: string, options?: CallOptions): AgentMessageStream =>
      new AgentMessageStream(
        () =>
          api.open(at(conversationId, 'messages'), {
            ...options,
            method: 'POST',
            body: { message },
            headers: { accept: 'text/event-stream' },
          }),
        options?.signal,
      ),

    /** Waits until no process is answering a message. Returns the conversation. */
    async waitForAnswer(
      conversationId: string,
      { onProgress, ...options }: WaitForAnswerOptions = {},
    ): Promise<AgentConversation> {
      for (;;) {
        const conversation = await get(conversationId, options);
        onProgress?.(conversation);
        if (!conversation.is_running) return conversation;
        await sleep(pollMs, options.signal);
      }
    },

    /** Stops the running answer. The pipeline built so far is preserved. */
    stop: api.operation('POST /api/v2/agent/conversations/:conversation_id/stop'),

    /**
     * Applies the pipeline: creates a collection. `force` ignores blocking uncertainties. `collections.wait` waits for the
     * indexing.
     */
    apply: api.operation('POST /api/v2/agent/conversations/:conversation_id/apply', 'body'),

    /** Resolves an uncertainty. `resolvedBy` names how, such as `user_confirmed`. */
    resolve: (conversationId: string, uncertaintyId: string, resolvedBy: string, options?: CallOptions) =>
      api.operation('PATCH /api/v2/agent/conversations/:conversation_id/uncertainties/:uncertainty_id', 'body')(
        conversationId,
        uncertaintyId,
        { resolved_by: resolvedBy },
        options,
      ),

    /** Discards the pipeline and closes the conversation. */
    abandon: (conversationId: string, options?: CallOptions) =>
      api.operation('PATCH /api/v2/agent/conversations/:conversation_id', 'body')(
        conversationId,
        { status: 'abandoned' },
        options,
      ),
  };
}
