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
  found = [{ owner: {}, turn: {} }];
  await pass(4);
  expect(await pass(10)).toBe(10);
  const stopped = polling.stop();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(await pass(10)).toBe(0);
});
