import { expect, it } from 'vitest';
import { chunkLength, chunkStatistics } from './chunk-statistics.ts';

it('reports the length of a chunk as its limit counts it: a run of blanks is one character', () => {
  const row = `Oak desk${' '.repeat(2000)}12.00 EUR`;
  expect(chunkLength(row)).toBe('Oak desk 12.00 EUR'.length);
  const chunk = { page_num: 1, text: row };
  const document = { document_id: 'd', document_name: 'a.pdf', chunks: [chunk, chunk] };
  expect(chunkStatistics([document as never])).toMatchObject({
    count: 2,
    longest: { document_name: 'a.pdf', characters: 18 },
  });
});
