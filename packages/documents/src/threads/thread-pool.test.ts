import { describe, expect, it, vi } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';
import { createThreadPool, type JobThread } from './thread-pool.ts';

interface TestJob {
  signal: AbortSignal | undefined;
}
type TestThread = JobThread<TestJob, number>;

const job = (signal?: AbortSignal): TestJob => ({ signal });

/** Threads whose jobs end when the test decides. */
function fakeThreads() {
  const started: {
    thread: TestThread;
    finish: (outcome: 'done' | 'crashed') => void;
    stop: ReturnType<typeof vi.fn>;
  }[] = [];
  const startThread = (): TestThread => {
    let current = Promise.withResolvers<number>();
    let isAlive = true;
    const stop = vi.fn<() => void>(() => {
      isAlive = false;
    });
    const thread: TestThread = {
      run: () => {
        current = Promise.withResolvers<number>();
        return current.promise;
      },
      stop,
      get isAlive() {
        return isAlive;
      },
    };
    const finish = (outcome: 'done' | 'crashed'): void => {
      if (outcome === 'done') return current.resolve(1);
      isAlive = false;
      current.reject(new Error('crashed'));
    };
    started.push({ thread, finish, stop });
    return thread;
  };
  return { started, startThread };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a pool of threads', () => {
  it('reuses a thread for the next job and stops it when it is idle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 2, idleMilliseconds: 1_000 });
    for (let round = 0; round < 2; round += 1) {
      const run = pool.run(job());
      await settled();
      started[0]!.finish('done');
      await run;
    }
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(999);
    expect(started[0]!.stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(started[0]!.stop).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  it('queues jobs beyond its size, and replaces a crashed thread', async () => {
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });
    const first = pool.run(job());
    const second = pool.run(job());
    await settled();
    expect(started).toHaveLength(1);
    started[0]!.finish('crashed');
    await expect(first).rejects.toThrow('crashed');
    await settled();
    expect(started).toHaveLength(2);
    started[1]!.finish('done');
    await expect(second).resolves.toBe(1);
  });

  it('runs the next job after a thread could not be started', async () => {
    const { started, startThread } = fakeThreads();
    let attempts = 0;
    const pool = createThreadPool({
      startThread: () => {
        attempts += 1;
        if (attempts === 1) throw new Error('no memory for a thread');
        return startThread();
      },
      size: 1,
      idleMilliseconds: 1_000,
    });
    await expect(pool.run(job())).rejects.toThrow('no memory for a thread');
    const second = pool.run(job());
    await settled();
    started[0]!.finish('done');
    await expect(second).resolves.toBe(1);
  });

  it('drops a queued job whose signal aborts', async () => {
    const { started, startThread } = fakeThreads();
    const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });
    const abort = new AbortController();
    const first = pool.run(job());
    const second = pool.run(job(abort.signal));
    abort.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    await settled();
    started[0]!.finish('done');
    await first;
    const third = pool.run(job());
    await settled();
    started[0]!.finish('done');
    await expect(third).resolves.toBe(1);
  });

  it('starts threads of several pools within one bound of memory, and stops idle ones for others', async () => {
    const memory = createMemoryBudget(100, 25);
    const [one, other] = [fakeThreads(), fakeThreads()];
    const options = { size: 4, idleMilliseconds: 60_000, memory };
    const first = createThreadPool({ ...options, startThread: one.startThread });
    const second = createThreadPool({ ...options, startThread: other.startThread });
    const runs = [1, 2, 3, 4].map(() => first.run(job()));
    await settled();
    const waiting = second.run(job());
    await settled();
    expect([one.started.length, other.started.length]).toEqual([4, 0]);
    // The thread stays idle, with its memory, until the other pool needs that.
    one.started[0]!.finish('done');
    await settled();
    expect(one.started[0]!.stop).toHaveBeenCalledOnce();
    expect(other.started).toHaveLength(1);
    for (const { finish } of [...one.started.slice(1), ...other.started]) finish('done');
    await Promise.all([...runs, waiting]);
  });
});
