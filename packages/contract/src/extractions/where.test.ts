import { describe, expect, it } from 'vitest';
import { formatWhere, parseWhere, testOf, type Cell } from './where.ts';

const holds = (where: string, cell: Cell) => testOf(parseWhere(where)[0]!)(cell);

describe('the conditions of where', () => {
  it('are joined by and, each with a path, an operator and a value', () => {
    expect(parseWhere('total>=1000 and supplier~acme and due_date<2026-12-01 and iban=null')).toEqual([
      { path: 'total', op: '>=', value: '1000' },
      { path: 'supplier', op: '~', value: 'acme' },
      { path: 'due_date', op: '<', value: '2026-12-01' },
      { path: 'iban', op: '=', value: null },
    ]);
    expect(parseWhere('  supplier.name = Sand  ')).toEqual([{ path: 'supplier.name', op: '=', value: 'Sand' }]);
    expect(() => parseWhere('name=Sand and Stone')).toThrow('one of');
  });

  it('take values in quotes with and, operators and quotes inside', () => {
    expect(parseWhere('supplier="Sand and ""Stone""" and "a=b">1')).toEqual([
      { path: 'supplier', op: '=', value: 'Sand and "Stone"' },
      { path: 'a=b', op: '>', value: '1' },
    ]);
    expect(parseWhere('iban="null"')[0]!.value).toBe('null');
    expect(parseWhere('note=""')[0]!.value).toBe('');
  });

  it('are written so that they are read as they were', () => {
    const conditions = [
      { path: 'supplier', op: '~', value: 'Sand and "Stone"' },
      { path: 'a = "b"', op: '>=', value: '-1.5' },
      { path: 'a and b', op: '!=', value: 'null' },
      { path: ' x', op: '=', value: '' },
      { path: 'due', op: '<', value: '=1' },
      { path: 'iban', op: '=', value: null },
    ] as const;
    expect(parseWhere(formatWhere(conditions))).toEqual(conditions);
    expect(formatWhere(conditions.slice(5))).toBe('iban=null');
    expect(formatWhere([])).toBe('');
  });

  it('are refused with the position if they do not parse', () => {
    const refusal = (position: number) => expect.objectContaining({ code: 'invalid_where', details: { position } });
    expect(() => parseWhere('total')).toThrow(refusal(5));
    expect(() => parseWhere('total>=')).toThrow(refusal(7));
    expect(() => parseWhere('>=5')).toThrow(refusal(0));
    expect(() => parseWhere('total>null')).toThrow(refusal(10));
    expect(() => parseWhere('total>1 and x')).toThrow(refusal(13));
    const many = Array.from({ length: 11 }, (_, at) => `f${at}=1`).join(' and ');
    expect(() => parseWhere(many)).toThrow('more than 10');
    expect(parseWhere('')).toEqual([]);
  });

  it('compare numbers as numbers, texts as texts, and ignore case only for ~', () => {
    expect(holds('total>=1000', 1000)).toBe(true);
    expect(holds('total>9', 10)).toBe(true);
    expect(holds('total>abc', 10)).toBe(false);
    expect(holds('due<2026-12-01', '2026-11-30')).toBe(true);
    expect(holds('name~ACME', 'The Acme Co')).toBe(true);
    expect(holds('total>=1000', '1,200.50 EUR')).toBe(true);
    expect(holds('total<1000', '€ 1,200.50')).toBe(false);
    expect(holds('number=0123', '123')).toBe(false);
    expect(holds('due<2026-12-01', '2026-12-10')).toBe(false);
    expect(holds('name=acme', 'Acme')).toBe(false);
    expect(holds('paid=true', true)).toBe(true);
  });

  it('take little time for any text of a document', { retry: 2 }, () => {
    const isMore = testOf({ op: '>', value: '5' });
    const started = performance.now();
    for (const text of [' '.repeat(200_000), `9${' '.repeat(200_000)}x`, '9'.repeat(200_000)]) isMore(text);
    expect(performance.now() - started).toBeLessThan(200);
  });

  it('are satisfied by a missing value only with =null', () => {
    for (const where of ['a=1', 'a!=1', 'a<1', 'a>=1', 'a~1', 'a!=null']) expect(holds(where, null), where).toBe(false);
    expect(holds('a=null', null)).toBe(true);
    expect(holds('a!=null', 0)).toBe(true);
    expect(holds('a=null', 0)).toBe(false);
  });
});

it('takes no longer for a value of many spaces', () => {
  const spaces = ' '.repeat(20_000);
  const before = performance.now();
  expect(parseWhere(`a=x${spaces}y and b=1${spaces}`)).toEqual([
    { path: 'a', op: '=', value: `x${spaces}y` },
    { path: 'b', op: '=', value: '1' },
  ]);
  expect(performance.now() - before).toBeLessThan(100);
});
