import { createSetAside } from '../../../platform/jobs/set-aside.ts';
import type { OrphanedTurn } from '../../turns/index.ts';
import type { ResumeOrphan } from './resume-orphan.ts';

const pollMs = 1_000;
/** Polls that find nothing are this much rarer each, down to one in `longestPollMs`. */
const growth = 1.25;
const longestPollMs = 4_000;

export function pollOrphanedTurns({
  orphanedTurns,
  resumeOrphan,
  log,
}: {
  orphanedTurns: (except: readonly string[]) => Promise<OrphanedTurn[]>;
  resumeOrphan: ResumeOrphan;
  log: { error(fields: object, message: string): void };
}): { stop(): Promise<void> } {
  const aside = createSetAside({ log, failure: 'an orphaned turn could not be resumed' });
  let isStopped = false;
  let polling: Promise<void> | undefined;
  let timer = pollAfter(pollMs);

  function pollAfter(pauseMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      polling = pollOnce(pauseMs);
    }, pauseMs).unref();
  }

  async function pollOnce(pauseMs: number): Promise<void> {
    const hasFound = await poll();
    if (!isStopped) timer = pollAfter(hasFound ? pollMs : Math.min(pauseMs * growth, longestPollMs));
  }

  async function poll(): Promise<boolean> {
    try {
      const orphans = await orphanedTurns(aside.ids());
      for (const { id, read } of orphans) {
        if (isStopped) break;
        await aside.work(id, async () => {
          const { owner, turn } = read();
          await resumeOrphan(owner, turn);
        });
      }
      return orphans.length > 0;
    } catch (error) {
      log.error({ err: error }, 'resuming orphaned turns failed');
      return false;
    }
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
