import type { ResultRow } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { cellText, columnLabel, resultColumns, currencyColumn, fieldPath, shownColumns } from './result-columns.ts';

const row = (fields: Record<string, unknown>) => ({ fields }) as unknown as ResultRow;

describe('columns', () => {
  const all = resultColumns(
    [
      { path: 'supplier', kind: 'text' },
      { path: 'due_date', kind: 'text' },
      { path: 'total', kind: 'number' },
      { path: 'payment.currency', kind: 'text' },
    ],
    [row({ supplier: 'A', due_date: '2026-01-31', total: 5 }), row({ supplier: 'B', due_date: null, total: null })],
  );

  it('have words as labels, and are dates if all of their texts are', () => {
    expect(all.map(({ label, kind }) => [label, kind])).toEqual([
      ['Supplier', 'text'],
      ['Due date', 'date'],
      ['Total', 'number'],
      ['Payment: Currency', 'text'],
      ['Changed', 'moment'],
    ]);
    expect(columnLabel('line_items.po_number')).toBe('Line items: PO number');
    expect(currencyColumn(all)?.path).toBe('payment.currency');
  });

  it('are those chosen, in their order, without those that no longer exist', () => {
    expect(shownColumns(all, ['total', 'gone', 'changed_at']).map(({ path }) => path)).toEqual(['total', 'changed_at']);
    expect(shownColumns(all, undefined).map(({ path }) => path)).not.toContain('changed_at');
    const many = Array.from({ length: 30 }, (_, at) => ({ path: `f${at}`, kind: 'text' as const }));
    expect(shownColumns(resultColumns(many, []), undefined)).toHaveLength(12);
  });
});

describe('a cell', () => {
  it('shows amounts, years, dates and yes or no', () => {
    expect(cellText(1234.5, { path: 'total', kind: 'number' })).toMatch(/^1.234.50$/);
    expect(cellText(2026, { path: 'year', kind: 'number' })).toBe('2026');
    expect(cellText('12345678901234567890', { path: 'total', kind: 'number' })).toBe('12345678901234567890');
    expect(cellText('2026-01-31', { path: 'due', kind: 'date' })).not.toBe('2026-01-31');
    expect([cellText(true, { path: 'paid', kind: 'boolean' }), cellText(null, { path: 'x', kind: 'text' })]).toEqual([
      'Yes',
      '',
    ]);
  });

  it('leads to its value in the document', () => {
    expect(fieldPath('total', undefined, undefined)).toBe('total');
    expect(fieldPath('line_items.amount', 'line_items', 3)).toBe('line_items.3.amount');
    expect(fieldPath('total', 'line_items', 3)).toBe('total');
    expect(fieldPath('rows.amount', 'rows', 0)).toBe('0.amount');
    expect(fieldPath('changed_at', undefined, undefined)).toBeUndefined();
  });
});
