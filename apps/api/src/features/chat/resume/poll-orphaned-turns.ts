import type { ThreadOwner } from '../../threads/index.ts';
import type { StoredTurn } from '../../turns/index.ts';
import type { ResumeOrphan } from './resume-orphan.ts';

const everyMs = 1_000;

/** Polls for orphaned turns and resumes them. */
export function pollOrphanedTurns({
  orphanedTurns,
  resumeOrphan,
  log,
}: {
  orphanedTurns: () => Promise<{ owner: ThreadOwner; turn: StoredTurn }[]>;
  resumeOrphan: ResumeOrphan;
  log: { error(fields: object, message: string): void };
}): { stop(): Promise<void> } {
  async function look(): Promise<void> {
    for (const { owner, turn } of await orphanedTurns()) {
      if (timer === undefined) return;
      await resumeOrphan(owner, turn);
    }
  }

  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'resuming orphaned turns failed'))
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
