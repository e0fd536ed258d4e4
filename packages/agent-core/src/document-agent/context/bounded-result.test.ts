import { expect, it } from 'vitest';
import { maxResultCharacters } from '../../tool/bounded-content.ts';
import { boundedResult, partOfResult } from './bounded-result.ts';

const rowsOf = (count: number, text = 'Monthly fee') =>
  Array.from({ length: count }, (_, at) => ({ date: '2026-01-01', text: `${text} ${at}`, amount: at }));
const sizeOf = (value: unknown) => JSON.stringify(value).length;

it('leaves a short result as it is', () => {
  const extraction = { version: 1, result: { total: 5, rows: rowsOf(3) } };
  expect(boundedResult(extraction)).toBe(extraction);
});

it.each([420, 2500, 100_000])('keeps the first and the last of %i rows, and says how to read the others', (count) => {
  const not_found = Array.from({ length: count }, (_, at) => `rows.${at}.text`);
  const bounded = boundedResult({ version: 1, result: { total: 5, rows: rowsOf(count) }, not_found });
  expect(sizeOf(bounded)).toBeLessThanOrEqual(maxResultCharacters);
  const { total, rows } = bounded['result'] as { total: number; rows: unknown[] };
  expect(total).toBe(5);
  expect([rows[0], rows.at(-1)]).toEqual([rowsOf(count)[0], rowsOf(count).at(-1)]);
  expect(JSON.stringify(rows)).toContain(`of ${count} entries, read with path \\"rows\\"`);
  expect(bounded).toMatchObject({ cut: expect.stringContaining('get_extraction_result') });
});

it('bounds long texts, deep lists and many fields too', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field_${at}`, 'x'.repeat(50)]));
  const deep = { a: rowsOf(50).map((row) => ({ ...row, b: rowsOf(50) })) };
  for (const result of [{ text: 'x'.repeat(100_000) }, many, deep, 'x'.repeat(100_000), rowsOf(3000)]) {
    expect(sizeOf(boundedResult({ version: 1, result }))).toBeLessThanOrEqual(maxResultCharacters);
  }
});

it('reads all rows of a list in parts', () => {
  const rows = rowsOf(2500);
  const read: unknown[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const part = partOfResult(rows, 'rows', from);
    expect(sizeOf(part)).toBeLessThanOrEqual(maxResultCharacters);
    read.push(...(part['value'] as unknown[]));
    from = part['next_from'] as number | undefined;
  }
  expect(read).toEqual(rows);
  expect(partOfResult(rows, 'rows', 7, 8)).toEqual({ path: 'rows', count: 2500, from: 7, value: rows.slice(7, 9) });
});
