import type { LiveTurns } from './live-turns.ts';

const everyMs = 2_000;

/** Tells the database from time to time which turns still run here, so that those of a process that died are not waited for. */
export function keepLeases(
  liveTurns: Pick<LiveTurns, 'runningIds'>,
  renewLeases: (turnIds: string[]) => Promise<void>,
  log: { error(fields: object, message: string): void },
): { stop(): void } {
  const timer = setInterval(() => {
    const running = liveTurns.runningIds();
    if (running.length === 0) return;
    renewLeases(running).catch((error: unknown) => log.error({ err: error }, 'renewing the leases of turns failed'));
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
