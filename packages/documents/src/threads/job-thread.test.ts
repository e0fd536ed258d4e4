import { expect, it } from 'vitest';
import { startJobThread } from './job-thread.ts';

interface TestJob {
  signal: AbortSignal | undefined;
}

it('rejects a job that cannot be sent, and stops its thread', async () => {
  let isFinished = false;
  const thread = startJobThread<TestJob, string, string, void>({
    script: new URL('data:text/javascript,setInterval(() => undefined, 1000)'),
    memoryBytes: 64 * 1024 * 1024,
    crash: { outOfMemory: 'out of memory', other: 'crashed' },
    handler: () => ({
      start: () => {
        throw new RangeError('Array buffer allocation failed');
      },
      receive: () => undefined,
      finish: () => {
        isFinished = true;
      },
    }),
  });
  await expect(thread.run({ signal: undefined })).rejects.toThrow('allocation failed');
  expect([isFinished, thread.isAlive]).toEqual([true, false]);
});
