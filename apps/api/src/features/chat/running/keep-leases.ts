import type { LiveTurns } from './live-turns.ts';
import { startHeartbeat, type Heartbeat } from '../../../platform/leases/heartbeat.ts';
import type { LeasedTurn } from '../../turns/index.ts';

const renewalIntervalMs = 1_000;

interface LeaseDependencies {
  liveTurns: Pick<LiveTurns, 'running'>;
  renewLeases: (runs: readonly LeasedTurn[]) => Promise<{ turnId: string; isStopAsked: boolean }[]>;
  log: { error(fields: object, message: string): void };
}

/**
 * Renews the leases of the turns that run in this process, stores their events for other processes, and stops the turns
 * that a user asked to stop or another process resumed.
 */
export function keepLeases({ liveTurns, renewLeases, log }: LeaseDependencies): Pick<Heartbeat, 'stop'> {
  async function tick(): Promise<void> {
    const running = liveTurns.running();
    if (running.length === 0) return;
    const runs = running.flatMap(({ turnId, running: run }) =>
      run ? [{ organizationId: run.organizationId, turnId, token: run.token }] : [],
    );
    const stopRequests = new Map((await renewLeases(runs)).map(({ turnId, isStopAsked }) => [turnId, isStopAsked]));
    for (const turn of running) if (stopRequests.get(turn.turnId) !== false) turn.running?.stop.abort();
    const ours = running.filter(({ turnId }) => stopRequests.has(turnId));
    // Concurrently: the writes are combined into few commands, and the next renewal is not late.
    await Promise.all(ours.map(async (turn) => turn.running?.store()));
  }

  return startHeartbeat(async () => {
    await tick().catch((error: unknown) => log.error({ err: error }, 'renewing the leases of running turns failed'));
    return true;
  }, renewalIntervalMs);
}
