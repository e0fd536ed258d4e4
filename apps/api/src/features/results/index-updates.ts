import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { ResultIndexRepository } from './result-index-repository.ts';

/** Brings the index of results up to date. A result that cannot be read stops no other. */
export type IndexUpdates = ReturnType<typeof createIndexUpdates>;

const batchSize = 100;
/** So many results are added to the index before a request is answered; the job adds the others. */
const maxInRequest = 50;

export function createIndexUpdates(
  index: Pick<ResultIndexRepository, 'pending' | 'update'>,
  log: { error(fields: object, message: string): void },
) {
  const aside = createSetAside({ log, failure: 'a result could not enter the index of results' });
  return {
    /** Adds results of a prompt, before a request reads them. */
    async catchUp(prompt: { organizationId: string; promptId: string }): Promise<void> {
      for (const key of await index.pending(maxInRequest, prompt, aside.ids())) {
        await aside.work(key.recordId, () => index.update(key));
      }
    },
    /** Adds all pending results. */
    async work(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const keys = await index.pending(batchSize, undefined, aside.ids());
        for (const key of keys) {
          if (signal.aborted) return;
          await aside.work(key.recordId, () => index.update(key));
        }
        if (keys.length < batchSize) return;
      }
    },
  };
}
