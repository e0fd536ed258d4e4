import type { LostClaimRepository } from './lost-claim-repository.ts';

/** Looks after documents whose reader may have died. */
export interface ReadingWatch {
  /** Gives back what nobody reads any more, and wakes the readers. Several processes may do so at once. */
  look(): Promise<void>;
}

export function createReadingWatch({
  lost,
  wake,
}: {
  lost: LostClaimRepository;
  wake: () => Promise<void>;
}): ReadingWatch {
  return {
    async look() {
      if ((await lost.giveBack()) > 0) await wake();
    },
  };
}
