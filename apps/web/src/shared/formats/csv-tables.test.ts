import { describe, expect, it } from 'vitest';
import { csvTables } from './csv-tables.ts';
import { csvText, withIssues } from './csv-text.ts';

describe('csvTables', () => {
  it('puts single values into one row and every list of objects into its own table', () => {
    const tables = csvTables({
      total: 110,
      party: { name: 'A', vat: null },
      notes: ['net', '30 days'],
      items: [
        { text: 'one', taxes: [{ rate: 7 }] },
        { text: 'two', amount: 2, taxes: [{ rate: 19 }, { rate: 7 }] },
      ],
    });
    expect(tables).toEqual([
      {
        name: 'fields',
        columns: ['total', 'party.name', 'party.vat', 'notes'],
        rows: [[110, 'A', null, 'net; 30 days']],
      },
      {
        name: 'items',
        columns: ['text', 'amount'],
        rows: [
          ['one', null],
          ['two', 2],
        ],
      },
      {
        name: 'items.taxes',
        columns: ['items', 'rate'],
        rows: [
          [1, 7],
          [2, 19],
          [2, 7],
        ],
      },
    ]);
  });

  it('creates no table for an empty list', () => {
    expect(csvTables({ total: 1, items: [] }).map(({ name, columns }) => [name, columns])).toEqual([
      ['fields', ['total', 'items']],
    ]);
  });
});

it('marks the tables of an incomplete result', () => {
  const message = 'Rows are missing on page 2.';
  const issues = [{ code: 'rows_missing' as const, path: 'items', pages: [2], message }];
  const result = { total: 1, items: [{ a: 1 }] };
  const tables = csvTables(result).map((table) => withIssues(table, { issues, is_complete: false }));
  const comments = '# is_complete: false\r\n# rows_missing items: Rows are missing on page 2.';
  expect(tables.map(csvText)).toEqual([
    `\uFEFF${comments}\r\ntotal,issues\r\n1,`,
    `\uFEFF${comments}\r\na,issues\r\n1,rows_missing`,
  ]);
  const [whole] = csvTables({ total: 1 });
  expect(withIssues(whole!, { issues: [], is_complete: true })).toBe(whole);
});

describe('csvText', () => {
  it('quotes cells and disarms formulas, but not numbers', () => {
    const text = csvText({
      name: 'fields',
      columns: ['a', '=b', 'c', 'd'],
      rows: [['say "hi", ok', '=HYPERLINK("http://x")', -5, 'Müller\nSöhne']],
    });
    expect(text).toBe('\uFEFFa,\'=b,c,d\r\n"say ""hi"", ok","\'=HYPERLINK(""http://x"")",-5,"Müller\nSöhne"');
  });

  it('keeps numbers, including those stored as text', () => {
    expect(csvText({ name: 'x', columns: ['a', 'b'], rows: [['-5.00', -7]] })).toBe('\uFEFFa,b\r\n-5.00,-7');
  });

  it.each(['+x', '-x', '@x', '\tx', '\rx'])('disarms %j', (value) => {
    expect(csvText({ name: 'x', columns: ['a'], rows: [[value]] })).toContain(`'${value}`);
  });
});
