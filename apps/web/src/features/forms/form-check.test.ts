import { describe, expect, it } from 'vitest';
import { createFormCheck } from './form-check.ts';

const check = createFormCheck({
  type: 'object',
  required: ['total', 'due', 'paid', 'kind', 'items'],
  additionalProperties: false,
  definitions: { amount: { type: 'number', minimum: 5 } },
  properties: {
    total: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    due: { type: ['string', 'null'], format: 'date' },
    paid: { type: 'boolean' },
    kind: { enum: ['a', 'b', null] },
    items: { type: 'array', items: { type: 'object', properties: { amount: { $ref: '#/definitions/amount' } } } },
  },
});

const good = { total: 1, due: '2026-01-31', paid: true, kind: null, items: [{ amount: 6 }] };

describe('createFormCheck', () => {
  it('finds no problem in a valid result', () => {
    expect(check(good).size).toBe(0);
  });

  it('takes the digits of a number that JavaScript would round, as the server does', () => {
    expect(check({ ...good, total: '12345678901234567890' }).size).toBe(0);
    expect([...check({ ...good, total: '12345678901234567890', paid: '12345678901234567890' }).keys()]).toEqual([
      'paid',
    ]);
    expect([...check({ ...good, total: '12345678901234567890', due: 5 }).keys()]).toEqual(['due']);
  });

  it('says for each invalid field what to enter', () => {
    const problems = check({
      total: '12,5',
      due: '31.1.2026',
      paid: null,
      kind: 'c',
      items: [{ amount: 6 }, { amount: 1 }],
    });
    expect(Object.fromEntries(problems)).toEqual({
      total: 'Enter a number, such as 1,234.50.',
      due: 'Enter a date such as 2026-01-31.',
      paid: 'Choose yes or no.',
      kind: 'Choose one of the allowed values.',
      'items.1.amount': 'Must be 5 or more.',
    });
  });

  it('reports a missing field at its own path', () => {
    const { paid: _paid, ...rest } = good;
    expect([...check(rest).keys()]).toEqual(['paid']);
  });
});
