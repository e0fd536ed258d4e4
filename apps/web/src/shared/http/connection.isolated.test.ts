import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connection, reportAnswer, reportFailure } from './connection.ts';

const fetchHealth = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchHealth);
});
afterEach(() => {
  reportAnswer();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetchHealth.mockReset();
});

it('is lost when the health check fails too, and recovers by itself', async () => {
  const changes: boolean[] = [];
  const stop = connection.subscribe(() => changes.push(connection.isLost()));
  fetchHealth.mockRejectedValue(new TypeError('Failed to fetch'));
  reportFailure();
  reportFailure();
  await vi.advanceTimersByTimeAsync(10);
  expect([connection.isLost(), fetchHealth.mock.calls.length]).toEqual([true, 1]);
  fetchHealth.mockResolvedValue(new Response('{}'));
  await vi.advanceTimersByTimeAsync(2100);
  expect([connection.isLost(), changes]).toEqual([false, [true, false]]);
  stop();
});

it('is not lost when one request fails but the server answers', async () => {
  fetchHealth.mockResolvedValue(new Response('{}'));
  reportFailure();
  await vi.advanceTimersByTimeAsync(10);
  expect(connection.isLost()).toBe(false);
});
