import type { createDocumentClaims } from './document-claim-repository.ts';

/** Looks after documents whose reader might have died. */
export interface ReadingWatch {
  /** Gives back what nobody reads any more, and wakes the readers. Several processes may do so at once. */
  look(): Promise<void>;
}

export function createReadingWatch({
  claims,
  wake,
}: {
  claims: Pick<ReturnType<typeof createDocumentClaims>, 'requeueOrphans'>;
  wake: () => Promise<void>;
}): ReadingWatch {
  return {
    async look() {
      if ((await claims.requeueOrphans()) > 0) await wake();
    },
  };
}
