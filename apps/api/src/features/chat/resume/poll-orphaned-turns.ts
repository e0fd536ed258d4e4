import type { ThreadOwner } from '../../threads/thread-repository.ts';
import type { StoredTurn } from '../../turns/stored-turn.ts';
import type { ResumeOrphan } from './resume-orphan.ts';

const everyMs = 1_000;

/** Takes up, from time to time, the turns that dead processes have left. */
export function pollOrphanedTurns({
  left,
  resumeOrphan,
  log,
}: {
  left: () => Promise<{ owner: ThreadOwner; turn: StoredTurn }[]>;
  resumeOrphan: ResumeOrphan;
  log: { error(fields: object, message: string): void };
}): { stop(): Promise<void> } {
  async function look(): Promise<void> {
    for (const { owner, turn } of await left()) {
      if (timer === undefined) return;
      await resumeOrphan(owner, turn);
    }
  }

  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'taking up turns that were left failed'))
      .finally(() => {
        looking = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await looking;
    },
  };
}
