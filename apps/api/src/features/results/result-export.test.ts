import type { DomainError } from '@docwright/contract';
import { buffer, text } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { exportResults } from './result-export.ts';

const rowsOf = (count: number) => ({
  organizationId: 'a',
  name: 'Invoice',
  columns: ['total'],
  count,
  rows: async function* none() {},
});

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

it('writes a sheet that Excel opens also with characters that XML cannot hold', async () => {
  const values = ['a\u0001\u000b\ufffe\uffff\ud800b', '=1+1', 'a\tb\nc😀'];
  const document_id = 'd'.repeat(24);
  const rows = async function* some() {
    yield values.map(
      (note) => ({ document_id, document_name: 'a\u0002.pdf', fields: { 'no\u0003te': note } }) as never,
    );
  };
  const { body } = exportResults({ ...rowsOf(0), columns: ['no\u0003te'], count: values.length, rows }, 'xlsx');
  const { sheets } = await readXlsx(await buffer(body));
  const [head, ...cells] = sheets[0]!.rows;
  expect([head!.at(-1), cells[0]![1]]).toEqual(['note', 'a.pdf']);
  const written = cells.map((row) => String(row.at(-1)));
  expect(written).toEqual(['ab', '=1+1', 'a\tb\nc😀']);
});

it('exports of an organization read their rows one after another, and another organization does not wait for them', async () => {
  const reading: string[] = [];
  const ends: (() => void)[] = [];
  const exportOf = (organizationId: string) => {
    const rows = async function* two() {
      for (const note of ['first', 'second']) {
        reading.push(organizationId);
        await new Promise<void>((resolve) => ends.push(resolve));
        yield [{ document_id: 'd'.repeat(24), document_name: organizationId, fields: { total: note } } as never];
      }
    };
    return text(exportResults({ ...rowsOf(2), organizationId, rows }, 'csv').body);
  };
  const files = [exportOf('many'), exportOf('many'), exportOf('many'), exportOf('few')];
  await expect.poll(() => reading).toEqual(['many', 'few']);
  for (let ended = 0; ended < 8; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()!();
  }
  for (const file of await Promise.all(files)) expect(file).toMatch(/first[^]*second/u);
});
