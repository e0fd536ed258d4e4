import { usageOf, type EmbeddingClient } from '@docwright/agent-core';
import type { IsLocal, RefuseKept } from './kept-documents-repository.ts';
import type { ModelCaller } from './metered-llm-client.ts';
import type { ModelPrices } from './model-prices.ts';
import type { UsageRepository } from './usage-repository.ts';
import type { TellExhausted } from './exhausted-budget.ts';
import { requireBudget } from './usage-service.ts';

/** Checks the organization's budget before every call for embeddings, and charges it after. */
export type MeterEmbeddings = (client: EmbeddingClient, caller: ModelCaller, isLocal: IsLocal) => EmbeddingClient;

/** As `createMeter` for answers: a call is charged before its vectors are returned; a failed call is free. */
export function createEmbeddingMeter(
  usageFor: (organizationId: string) => Pick<UsageRepository, 'budget' | 'used' | 'charge'>,
  prices: Pick<ModelPrices, 'of' | 'costOf'>,
  refuseKept?: RefuseKept,
  tellExhausted?: TellExhausted,
): MeterEmbeddings {
  return (client, { organizationId, userId, threadId, documentId }, isLocal) => ({
    model: client.model,
    async embed(texts, signal) {
      const usage = usageFor(organizationId);
      signal?.throwIfAborted();
      await refuseKept?.(organizationId, () => (documentId === undefined ? [] : [documentId]), isLocal);
      const unpriced = prices.of(client.model) === undefined ? client.model : undefined;
      await requireBudget(usage, new Date(), (exhausted) => tellExhausted?.(organizationId, exhausted), unpriced);
      const answer = await client.embed(texts, signal);
      const price = usageOf(answer.usage);
      const costMicros = prices.costOf(client.model, price);
      await usage.charge({ ...price, costMicros, at: new Date(), model: client.model, userId, threadId, documentId });
      return answer;
    },
  });
}
