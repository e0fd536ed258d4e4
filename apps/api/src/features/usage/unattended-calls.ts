import type { EmbeddingClient, LlmClient } from '@docwright/agent-core';
import { isInBackground } from '../../platform/jobs/background-work.ts';
import type { Permits } from '../../platform/permits/permits.ts';
import type { MeterEmbeddings } from './metered-embedding-client.ts';
import type { MeterCalls } from './metered-llm-client.ts';

/** A call of a model that no person waits for needs a permit while it runs: those of all processes share one limit. */
export function limitUnattended(meter: MeterCalls, permits: Pick<Permits, 'take'>): MeterCalls {
  return (client, caller, isLocal) => {
    const limited: LlmClient = {
      async *stream(request) {
        if (!isInBackground()) return yield* client.stream(request);
        const giveBack = await permits.take(caller.organizationId, request.signal);
        try {
          yield* client.stream(request);
        } finally {
          giveBack();
        }
      },
    };
    return meter(limited, caller, isLocal);
  };
}

/** The same for embeddings. */
export function limitUnattendedEmbeddings(meter: MeterEmbeddings, permits: Pick<Permits, 'take'>): MeterEmbeddings {
  return (client, caller, isLocal) => {
    const limited: EmbeddingClient = {
      model: client.model,
      async embed(texts, signal) {
        if (!isInBackground()) return await client.embed(texts, signal);
        const giveBack = await permits.take(caller.organizationId, signal);
        try {
          return await client.embed(texts, signal);
        } finally {
          giveBack();
        }
      },
    };
    return meter(limited, caller, isLocal);
  };
}
