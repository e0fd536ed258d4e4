import type { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { exportResults } from './result-export.ts';

const rowsOf = (count: number) => ({ name: 'Invoice', columns: ['total'], count, rows: async function* none() {} });

it('refuses more rows than a sheet of Excel has, and names the way out; a text file has no such limit', () => {
  const full = 1_048_575;
  for (const format of ['csv', 'ndjson'] as const) exportResults(rowsOf(full + 1), format).body.destroy();
  exportResults(rowsOf(full), 'xlsx').body.destroy();
  expect(() => exportResults(rowsOf(full + 1), 'xlsx')).toThrow(
    expect.objectContaining<Partial<DomainError>>({
      code: 'too_many_rows',
      message: expect.stringContaining('export as CSV'),
      details: { rows: full + 1, max_rows: full },
    }),
  );
});
