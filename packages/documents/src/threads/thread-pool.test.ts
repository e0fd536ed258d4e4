import { describe, expect, it, vi } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { createThreadPool } from './thread-pool.ts';
import type { ParseJob, ParserThread } from '../parsing/parser-thread.ts';

const job = (signal?: AbortSignal): ParseJob => ({
  bytes: new Uint8Array(),
  mimeType: 'application/pdf',
  limits: defaultParseLimits,
  signal,
  onPage: () => undefined,
});

/** Threads whose jobs end when the test decides. */
function fakeThreads() {
  const started: { thread: ParserThread; end: (outcome: 'done' | 'broken') => void; stop: ReturnType<typeof vi.fn> }[] =
    [];
  const startThread = (): ParserThread => {
    let current = Promise.withResolvers<number>();
    let alive = true;
    const stop = vi.fn<() => void>(() => {
      alive = false;
    });
    const thread: ParserThread = {
      run: () => {
        current = Promise.withResolvers<number>();
        return current.promise;
      },
      stop,
      get alive() {
        return alive;
      },
    };
    const end = (outcome: 'done' | 'broken'): void => {
      if (outcome === 'done') return current.resolve(1);
      alive = false;
      current.reject(new Error('broken'));
    };
    started.push({ thread, end, stop });
    return thread;
  };
  return { started, startThread };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the pool of parser threads', () => {
  it('reuses a thread for the next document and stops it when it is idle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 2, idleMilliseconds: 1_000 });
    for (let round = 0; round < 2; round += 1) {
      const run = pool.run(job());
      await settled();
      started[0]!.end('done');
      await run;
    }
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(999);
    expect(started[0]!.stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(started[0]!.stop).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  it('queues documents beyond its size, and replaces a crashed thread', async () => {
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });
    const first = pool.run(job());
    const second = pool.run(job());
    await settled();
    expect(started).toHaveLength(1);
    started[0]!.end('broken');
    await expect(first).rejects.toThrow('broken');
    await settled();
    expect(started).toHaveLength(2);
    started[1]!.end('done');
    await expect(second).resolves.toBe(1);
  });

  it('drops a queued document whose signal aborts', async () => {
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });
    const abort = new AbortController();
    const first = pool.run(job());
    const second = pool.run(job(abort.signal));
    abort.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    await settled();
    started[0]!.end('done');
    await first;
    const third = pool.run(job());
    await settled();
    started[0]!.end('done');
    await expect(third).resolves.toBe(1);
  });
});
