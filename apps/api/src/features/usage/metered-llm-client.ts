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

/** The user and the purpose of a model call. */
export interface ModelCaller {
  readonly organizationId: string;
  readonly userId: string;
  readonly threadId?: string | undefined;
  readonly documentId?: string | undefined;
}

/** Checks the organization's budget before every call of a client, and charges it after. */
export type MeterCalls = (client: LlmClient, caller: ModelCaller) => LlmClient;

/**
 * Checks and charges all model calls. A call is charged before the end of its answer is returned, so that no unpaid answer
 * is used. An interrupted or stopped answer is charged for the usage so far; a call that failed before its answer is free.
 * Nothing is reserved: concurrent calls can exceed the limit by their usage, and the next call is rejected.
 */
export function createMeter(
  usageFor: (organizationId: string) => Pick<UsageRepository, 'budget' | 'used' | 'charge'>,
  { now = () => new Date(), spending }: { now?: () => Date; spending?: Pick<ThreadSpending, 'add'> } = {},
): MeterCalls {
  return (client, caller) => ({
    async *stream(request) {
      const { organizationId, userId, threadId, documentId } = caller;
      const usage = usageFor(organizationId);
      request.signal?.throwIfAborted();
      await requireBudget(usage, now());
      let written = 0;
      let isCharged = false;
      const charge = async (used: TokenUsage) => {
        isCharged = true;
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
        // Stopped, or the reader has left: the service has processed the request anyway.
        if (!isCharged && (written > 0 || request.signal?.aborted === true)) await charge(estimateOf(request, written));
      }
    },
  });
}

function estimateOf({ messages, tools }: LlmRequest, written: number): TokenUsage {
  const sent = countedCharacters(messages, JSON.stringify([messages, tools ?? []]));
  return { prompt_tokens: estimatedTokens(sent), completion_tokens: estimatedTokens(written), estimated: true };
}
