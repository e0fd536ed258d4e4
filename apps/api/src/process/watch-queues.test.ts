import { expect, test, vi } from 'vitest';
import type { QueueDepth } from './queue-depth-repository.ts';
import { reportStalledWork } from './watch-queues.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('work that waits while nothing takes it is reported once, and once when it is taken again', async () => {
  let depths: QueueDepth[] = [];
  const lines: unknown[] = [];
  const log = {
    warn: (fields: object) => lines.push({ level: 'warn', ...fields }),
    info: (fields: object) => lines.push({ level: 'info', ...fields }),
  };
  const read = vi.fn(async () => depths);
  const stop = reportStalledWork({ queues: { depths: read }, log, everyMs: 5 });
  const check = async (next: QueueDepth[]) => {
    depths = next;
    const seen = read.mock.calls.length;
    await expect.poll(() => read.mock.calls.length).toBeGreaterThan(seen + 1);
  };
  const queue = 'headless' as const;
  try {
    await check([{ queue, waiting: 3, working: 0, oldestWaitingSince: ago(1) }]);
    await check([{ queue, waiting: 3, working: 2, oldestWaitingSince: ago(60) }]);
    expect(lines).toEqual([]);
    await check([
      { queue, waiting: 3, working: 0, oldestWaitingSince: ago(6) },
      { queue: 'texts', waiting: 0, working: 0, oldestWaitingSince: undefined },
    ]);
    expect(lines).toEqual([{ level: 'warn', queue, waiting: 3, oldest_seconds: 360 }]);
    await check([{ queue, waiting: 2, working: 1, oldestWaitingSince: ago(6) }]);
    expect(lines.slice(1)).toEqual([{ level: 'info', queue }]);
    // A database that is away for a moment ends nothing.
    read.mockRejectedValueOnce(new Error('away'));
    await check([{ queue, waiting: 2, working: 0, oldestWaitingSince: ago(6) }]);
    expect(lines).toHaveLength(3);
  } finally {
    stop();
  }
});
