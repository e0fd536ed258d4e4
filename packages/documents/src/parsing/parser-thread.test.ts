import { expect, it } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { nestedForms } from '../testing/nested-forms.ts';
import { createMemoryBudget } from '../threads/memory-budget.ts';
import { createThreadPool } from '../threads/thread-pool.ts';
import { createDocumentParser } from './parse-document.ts';
import { startParserThread } from './parser-thread.ts';

const megabyte = 1024 * 1024;

it(
  'stops three small files that unfold to gigabytes within the memory of all threads',
  { timeout: 120_000 },
  async () => {
    const memory = createMemoryBudget(256 * megabyte, 1536 * megabyte);
    const pool = createThreadPool({ startThread: startParserThread, size: 3, idleMilliseconds: 0, memory });
    const bytes = nestedForms(6);
    expect(bytes.length).toBeLessThan(4_000);
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 20);
    const job = { bytes, mimeType: 'application/pdf', limits: defaultParseLimits, signal: undefined } as const;
    const runs = Array.from({ length: 3 }, () => pool.run({ ...job, onPage: () => undefined }));
    const codes = (await Promise.allSettled(runs)).map((run) => (run.status === 'rejected' ? run.reason.code : 'read'));
    clearInterval(timer);
    expect(codes).toEqual(codes.map(() => 'parse_out_of_memory'));
    // Beside the bounded memory, each of three threads takes its code and stacks.
    expect(most).toBeLessThan((256 + 3 * 40) * megabyte);
  },
);

it('tries a document that burst the memory of its thread once more alone, and not a third time', async () => {
  const memory = createMemoryBudget(256 * megabyte, 256 * megabyte);
  const asked: number[] = [];
  const acquire: typeof memory.acquire = (bytes, signal) => {
    asked.push(bytes / megabyte);
    return memory.acquire(bytes, signal);
  };
  const parse = createDocumentParser({ ...memory, acquire });
  const of = (depth: number) => parse({ bytes: nestedForms(depth), mimeType: 'application/pdf', keepPages: false });
  // Its thread has 64 MB, which this one needs more than.
  expect(await of(4)).toMatchObject({ page_count: 1 });
  expect(asked).toEqual([64, 192]);
  asked.length = 0;
  await expect(of(6)).rejects.toMatchObject({ code: 'parse_out_of_memory' });
  expect(asked).toEqual([64, 192]);
});
