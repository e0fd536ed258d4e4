import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollOrphanedTurns } from './poll-orphaned-turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('looks for turns of dead processes every second after one was found, and ever more rarely while there are none', async () => {
  const times: number[] = [];
  let found: object[] = [];
  let at = 0;
  const polling = pollOrphanedTurns({
    orphanedTurns: async () => {
      times.push(at);
      return found as never;
    },
    resumeOrphan: async () => undefined,
    log: { error: vi.fn<() => void>() },
  });
  const pass = async (seconds: number) => {
    times.length = 0;
    for (let step = 0; step < seconds * 10; step += 1) {
      at += 100;
      await vi.advanceTimersByTimeAsync(100);
    }
    return times.length;
  };
  await pass(60);
  expect(await pass(60)).toBe(15);
  found = [{ id: 'a', read: () => ({ owner: {}, turn: {} }) }];
  await pass(4);
  expect(await pass(10)).toBe(10);
  const stopped = polling.stop();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(await pass(10)).toBe(0);
});

test('a damaged turn is set aside and does not keep the others from being resumed', async () => {
  const resumed: string[] = [];
  const excepted: string[] = [];
  const orphans = ['damaged', 'sound'].map((id) => ({
    id,
    read() {
      if (id === 'damaged') throw new TypeError('no answer');
      return { owner: {}, turn: { id } };
    },
  }));
  const polling = pollOrphanedTurns({
    async orphanedTurns(except) {
      excepted.push(except.join(','));
      return orphans.filter(({ id }) => !except.includes(id)) as never;
    },
    resumeOrphan: async (_owner, turn) => void resumed.push(turn.id),
    log: { error: vi.fn<() => void>() },
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await polling.stop();
  expect([resumed, excepted]).toEqual([
    ['sound', 'sound'],
    ['', 'damaged'],
  ]);
});
