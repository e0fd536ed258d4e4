import type { createDocumentClaims } from './document-claim-repository.ts';

/** Finds documents whose reader has died. */
export interface ReadingWatch {
  /** Requeues orphaned documents and wakes the readers. Several processes can do so concurrently. */
  requeueOrphans(): Promise<void>;
}

export function createReadingWatch({
  claims,
  wake,
}: {
  claims: Pick<ReturnType<typeof createDocumentClaims>, 'requeueOrphans'>;
  wake: () => Promise<void>;
}): ReadingWatch {
  return {
    async requeueOrphans() {
      if ((await claims.requeueOrphans()) > 0) await wake();
    },
  };
}
