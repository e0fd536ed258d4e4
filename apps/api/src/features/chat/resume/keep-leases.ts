import type { LiveTurns } from '../live-turns.ts';
import type { TurnEventRepository } from '../../turns/turn-event-repository.ts';

const everyMs = 1_000;

export interface LeaseDependencies {
  liveTurns: Pick<LiveTurns, 'running'>;
  renewLeases: (turnIds: string[]) => Promise<void>;
  held: (turnIds: string[]) => Promise<{ turnId: string; isStopAsked: boolean }[]>;
  events: TurnEventRepository;
  log: { error(fields: object, message: string): void };
}

/**
 * Tells the other processes about the turns that run here, from time to time: that they still run, and what they have
 * said. Hears from them which ones somebody wants to end.
 */
export function keepLeases(dependencies: LeaseDependencies): { stop(): void } {
  const { liveTurns, renewLeases, held, events, log } = dependencies;

  async function tick(): Promise<void> {
    const running = liveTurns.running();
    if (running.length === 0) return;
    const turnIds = running.map(({ turnId }) => turnId);
    await renewLeases(turnIds);
    const stopAsked = new Map((await held(turnIds)).map(({ turnId, isStopAsked }) => [turnId, isStopAsked]));
    // One that another process has taken up ends here, and tells nothing more.
    for (const turn of running) if (stopAsked.get(turn.turnId) !== false) turn.running?.stop.abort();
    const ours = running.filter(({ turnId }) => stopAsked.has(turnId));
    // At the same time, so that their writes share few commands and the next renewal is not late.
    await Promise.all(ours.map((turn) => turn.log.flush((batches) => events.append(turn.turnId, batches))));
  }

  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    tick()
      .catch((error: unknown) => log.error({ err: error }, 'telling other processes about running turns failed'))
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
