import {
  BrokenAnswerError,
  countedCharacters,
  estimatedTokens,
  usageOf,
  type LlmClient,
  type LlmRequest,
  type TokenUsage,
} from '@docwright/agent-core';
import type { ThreadSpending } from './thread-spending.ts';
import type { UsageRepository } from './usage-repository.ts';
import { requireBudget } from './usage-service.ts';

/** For whom and for what a model is asked. */
export interface ModelCaller {
  readonly organizationId: string;
  readonly userId: string;
  readonly threadId?: string | undefined;
  readonly documentId?: string | undefined;
}

/** Puts the organization's budget before every call of a client, and its price after. */
export type MeterCalls = (client: LlmClient, caller: ModelCaller) => LlmClient;

/**
 * The one place where model calls are checked and charged. A call is charged before its answer is handed on, so that
 * nothing is done with an answer that was not paid for; one that broke off or was stopped, for what had been used by then. A
 * call that failed before it answered is free. Nothing is reserved: calls that run at the same time may together pass the
 * limit by what they use, and the next one is refused.
 */
export function createMeter(
  usageFor: (organizationId: string) => Pick<UsageRepository, 'budget' | 'used' | 'charge'>,
  { now = () => new Date(), spending }: { now?: () => Date; spending?: Pick<ThreadSpending, 'add'> } = {},
): MeterCalls {
  return (client, caller) => ({
    async *stream(request) {
      const { organizationId, ...what } = caller;
      const usage = usageFor(organizationId);
      request.signal?.throwIfAborted();
      await requireBudget(usage, now());
      let written = 0;
      let isCharged = false;
      const charge = async (used: TokenUsage) => {
        isCharged = true;
        const { userId, threadId, documentId } = what;
        const price = usageOf(used);
        await usage.charge({ ...price, at: now(), model: request.model, userId, threadId, documentId });
        if (threadId !== undefined) spending?.add(threadId, price.spu);
      };
      try {
        for await (const chunks of client.stream(request)) {
          for (const chunk of chunks) {
            if (chunk.type === 'finish') await charge(chunk.usage);
            else written += chunk.text.length;
          }
          yield chunks;
        }
      } catch (error) {
        if (!isCharged && error instanceof BrokenAnswerError) await charge(error.usage);
        throw error;
      } finally {
        // Stopped, or left by its reader: the service has read the request all the same.
        if (!isCharged && (written > 0 || request.signal?.aborted === true)) await charge(estimateOf(request, written));
      }
    },
  });
}

function estimateOf({ messages, tools }: LlmRequest, written: number): TokenUsage {
  const sent = countedCharacters(messages, JSON.stringify([messages, tools ?? []]));
  return { prompt_tokens: estimatedTokens(sent), completion_tokens: estimatedTokens(written), estimated: true };
}
