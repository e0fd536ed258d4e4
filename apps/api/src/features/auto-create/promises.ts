import type { DocumentRunRepository } from '../headless/document-run-repository.ts';
import type { ProposalRepository } from './proposal-repository.ts';

/** Runs that were promised at an upload, and begin when the text is there. */
export interface Promises {
  /** Queues the run of that document, or all that nobody has; how many there were. Done again, it changes nothing. */
  keep(documentId?: string): Promise<number>;
}

const maxAtOnce = 100;

export function createPromises(
  proposals: Pick<ProposalRepository, 'promised' | 'keepPromise'>,
  runs: Pick<DocumentRunRepository, 'insert'>,
): Promises {
  return {
    async keep(documentId) {
      const promised = await proposals.promised(documentId === undefined ? { limit: maxAtOnce } : { documentId });
      for (const { runId, ...run } of promised) {
        // The same id every time: a promise is kept once, whatever dies between the two writes.
        const queued = await runs.insert({ ...run, kind: 'auto_create', id: runId });
        await proposals.keepPromise({ runId, ...run }, queued?.id === runId);
      }
      return promised.length;
    },
  };
}
