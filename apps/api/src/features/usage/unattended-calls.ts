import { backgroundWork } from '../../platform/jobs/background-work.ts';
import type { Permits } from '../../platform/permits/permits.ts';
import type { MeterEmbeddings } from './metered-embedding-client.ts';
import type { MeterCalls } from './metered-llm-client.ts';

/**
 * A call of a model that no person waits for needs a permit while it runs: those of all processes share one limit. The meter
 * comes after the wait: nothing is charged for a call that is stopped while it waits, and the budget is checked when it begins.
 */
export function limitUnattended(meter: MeterCalls, permits: Pick<Permits, 'take'>): MeterCalls {
  return (client, caller, isLocal) => {
    const metered = meter(client, caller, isLocal);
    return {
      async *stream(request) {
        const giveBack = await takePermit(permits, caller.organizationId, request.signal);
        try {
          yield* metered.stream(request);
        } finally {
          giveBack?.();
        }
      },
    };
  };
}

/** The same for embeddings. */
export function limitUnattendedEmbeddings(meter: MeterEmbeddings, permits: Pick<Permits, 'take'>): MeterEmbeddings {
  return (client, caller, isLocal) => {
    const metered = meter(client, caller, isLocal);
    return {
      model: metered.model,
      async embed(texts, signal) {
        const giveBack = await takePermit(permits, caller.organizationId, signal);
        try {
          return await metered.embed(texts, signal);
        } finally {
          giveBack?.();
        }
      },
    };
  };
}

/** Undefined for a call that a person waits for. */
async function takePermit(
  permits: Pick<Permits, 'take'>,
  organizationId: string,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  const work = backgroundWork();
  if (work === undefined) return undefined;
  const { isOfFew = false, whileWaiting = async (wait) => wait() } = work;
  return await whileWaiting(async () => permits.take(organizationId, signal, { isWaitedFor: isOfFew }));
}
