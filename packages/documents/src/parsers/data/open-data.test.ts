import { expect, it } from 'vitest';
import { openXml } from './open-data.ts';

it(
  'indents an invoice of many lines in time, and puts a tag on a line of its own unless it ends a text',
  { retry: 2 },
  async () => {
    const lines = Array.from({ length: 30_000 }, (_, row) => `<Line><Id>${row}</Id><Note>a > b</Note><Empty/></Line>`);
    const start = process.threadCpuUsage();
    const { pages } = await openXml(Buffer.from(`<Invoice>${lines.join('')}</Invoice>`), {} as never);
    const [first] = [...pages];
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(3_000);
    expect(first!.text.split('\n').slice(0, 6)).toEqual([
      '<Invoice>',
      ' <Line>',
      '  <Id>0</Id>',
      '  <Note>a > b</Note>',
      '  <Empty/>',
      ' </Line>',
    ]);
  },
);
