import {
  BrokenAnswerError,
  countedCharacters,
  estimatedTokens,
  usageOf,
  type LlmClient,
  type LlmRequest,
  type TokenUsage,
} from '@docwright/agent-core';
import type { IsLocal, RefuseKept } from './kept-documents-repository.ts';
import type { ThreadSpending } from './thread-spending.ts';
import type { ModelPrices } from './model-prices.ts';
import type { UsageRepository } from './usage-repository.ts';
import type { TellExhausted } from './exhausted-budget.ts';
import { requireBudget } from './usage-service.ts';

/** The user and the purpose of a model call. */
export interface ModelCaller {
  readonly organizationId: string;
  readonly userId: string;
  readonly threadId?: string | undefined;
  readonly documentId?: string | undefined;
  /** The prompt that is extracted or measured. */
  readonly promptId?: string | undefined;
  /** The run of many documents that the call is part of. */
  readonly runId?: string | undefined;
}

/** Checks every call of a client before, and charges the organization's budget after. */
export type MeterCalls = (client: LlmClient, caller: ModelCaller, isLocal: IsLocal) => LlmClient;

/**
 * Checks and charges all model calls. A call is charged before the end of its answer is returned, so that no unpaid answer
 * is used. An interrupted or stopped answer is charged for the usage so far; a call that failed before its answer is free.
 * Nothing is reserved: concurrent calls can exceed the limit by their usage, and the next call is rejected.
 */
export function createMeter(
  usageFor: (organizationId: string) => Pick<UsageRepository, 'budget' | 'used' | 'charge'>,
  prices: Pick<ModelPrices, 'of' | 'costOf'>,
  {
    now = () => new Date(),
    spending,
    refuseKept,
    tellExhausted,
  }: {
    now?: () => Date;
    spending?: Pick<ThreadSpending, 'add'>;
    refuseKept?: RefuseKept;
    tellExhausted?: TellExhausted;
  } = {},
): MeterCalls {
  return (client, caller, isLocal) => ({
    async *stream(request) {
      const { organizationId, threadId, documentId, ...others } = caller;
      const usage = usageFor(organizationId);
      request.signal?.throwIfAborted();
      const unpriced = prices.of(request.model) === undefined ? request.model : undefined;
      await Promise.all([
        refuseKept?.(organizationId, () => labelsOf(request, documentId), isLocal),
        requireBudget(usage, now(), (exhausted) => tellExhausted?.(organizationId, exhausted), unpriced),
      ]);
      // Stopped meanwhile: nothing has been sent.
      request.signal?.throwIfAborted();
      let written = 0;
      let isCharged = false;
      const charge = async (used: TokenUsage) => {
        isCharged = true;
        const price = usageOf(used);
        const costMicros = prices.costOf(request.model, used);
        const purpose = { ...others, threadId, documentId };
        await usage.charge({ ...price, costMicros, at: now(), model: request.model, ...purpose });
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

/**
 * The documents that a request says it is about: its caller's, its own labels, and the ids in its messages, since results
 * of tools name their documents.
 */
function labelsOf({ messages, documents = [] }: LlmRequest, documentId: string | undefined): Set<string> {
  const labels = new Set([...documents, ...(documentId === undefined ? [] : [documentId])]);
  for (const message of messages) {
    const calls = message.role === 'assistant' ? JSON.stringify(message.toolCalls ?? []) : '';
    for (const [id] of `${message.content} ${calls}`.matchAll(/\b[0-9a-f]{24}\b/giu)) labels.add(id.toLowerCase());
  }
  return labels;
}

function estimateOf({ messages, tools }: LlmRequest, written: number): TokenUsage {
  const sent = countedCharacters(messages, JSON.stringify([messages, tools ?? []]));
  return { prompt_tokens: estimatedTokens(sent), completion_tokens: estimatedTokens(written), estimated: true };
}
