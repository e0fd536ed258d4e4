import type { DocumentRunRepository } from '../headless/index.ts';
import type { ProposalRepository } from './proposal-repository.ts';

/** Runs requested at upload. Each is queued once the text of its document has been read. */
interface PendingRuns {
  /** Queues the pending run of a document, or of all documents. Returns their number. Idempotent. */
  queue(documentId?: string): Promise<number>;
}

const batchSize = 100;

export function createPendingRuns(
  proposals: Pick<ProposalRepository, 'pending' | 'markQueued'>,
  runs: Pick<DocumentRunRepository, 'insert'>,
): PendingRuns {
  return {
    async queue(documentId) {
      const pending = await proposals.pending(documentId === undefined ? { limit: batchSize } : { documentId });
      for (const { runId, ...run } of pending) {
        // The same id every time: the run is queued once, even if the process dies between the two writes.
        const queued = await runs.insert({ ...run, kind: 'auto_create', id: runId });
        await proposals.markQueued({ runId, ...run }, queued?.id === runId);
      }
      return pending.length;
    },
  };
}
