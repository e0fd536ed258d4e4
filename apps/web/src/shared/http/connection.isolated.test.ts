import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connection, reportAnswer, reportFailure } from './connection.ts';

const ask = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', ask);
});
afterEach(() => {
  reportAnswer();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  ask.mockReset();
});

it('is lost once the server does not answer either, and back by itself', async () => {
  const changes: boolean[] = [];
  const stop = connection.subscribe(() => changes.push(connection.isLost()));
  ask.mockRejectedValue(new TypeError('Failed to fetch'));
  reportFailure();
  reportFailure();
  await vi.advanceTimersByTimeAsync(10);
  expect([connection.isLost(), ask.mock.calls.length]).toEqual([true, 1]);
  ask.mockResolvedValue(new Response('{}'));
  await vi.advanceTimersByTimeAsync(2100);
  expect([connection.isLost(), changes]).toEqual([false, [true, false]]);
  stop();
});

it('is not lost where one request broke and the server answers', async () => {
  ask.mockResolvedValue(new Response('{}'));
  reportFailure();
  await vi.advanceTimersByTimeAsync(10);
  expect(connection.isLost()).toBe(false);
});
