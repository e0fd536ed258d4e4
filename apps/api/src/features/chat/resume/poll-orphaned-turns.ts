import type { ThreadOwner } from '../../threads/index.ts';
import type { StoredTurn } from '../../turns/index.ts';
import type { ResumeOrphan } from './resume-orphan.ts';

const pollMs = 1_000;

export function pollOrphanedTurns({
  orphanedTurns,
  resumeOrphan,
  log,
}: {
  orphanedTurns: () => Promise<{ owner: ThreadOwner; turn: StoredTurn }[]>;
  resumeOrphan: ResumeOrphan;
  log: { error(fields: object, message: string): void };
}): { stop(): Promise<void> } {
  async function poll(): Promise<void> {
    for (const { owner, turn } of await orphanedTurns()) {
      if (timer === undefined) return;
      await resumeOrphan(owner, turn);
    }
  }

  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined = setInterval(() => {
    polling ??= poll()
      .catch((error: unknown) => log.error({ err: error }, 'resuming orphaned turns failed'))
      .finally(() => {
        polling = undefined;
      });
  }, pollMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await polling;
    },
  };
}
