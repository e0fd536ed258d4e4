import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createMailReader, type ReadMail } from './mail-reader.ts';

it('mails of one organization that take long hold up no other', async () => {
  const running: (() => void)[] = [];
  const empty = { subject: '', files: [] } as unknown as Awaited<ReturnType<ReadMail>>;
  const readerOf = createMailReader(({ maxFiles }) => {
    if (maxFiles === 1) return Promise.resolve(empty);
    return new Promise((resolve) => running.push(() => resolve(empty)));
  });
  const bytes = new Uint8Array();
  const slow = [1, 2, 3].map(() => readerOf('one')({ bytes, maxFiles: 2 }));
  await turn();
  expect(running).toHaveLength(1);
  expect(await readerOf('two')({ bytes, maxFiles: 1 })).toBe(empty);
  for (const _ of slow) {
    running.pop()?.();
    await turn();
  }
  expect(await Promise.all(slow)).toHaveLength(3);
});
