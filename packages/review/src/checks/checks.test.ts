import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckError, parseCheck } from './parse-check.ts';
import { runChecks } from './run-checks.ts';

const nullable = (type: string) => ({ type: [type, 'null'] });
const schema = {
  type: 'object',
  properties: {
    subtotal: nullable('number'),
    total: { $ref: '#/$defs/amount' },
    invoice_date: nullable('string'),
    due_date: nullable('string'),
    iban: nullable('string'),
    tags: { type: 'array', items: { type: 'string' } },
    seller: { type: 'object', properties: { name: { type: 'string' } } },
    line_items: {
      anyOf: [
        { type: 'null' },
        {
          type: 'array',
          items: { type: 'object', properties: { amount: nullable('number'), quantity: nullable('number') } },
        },
      ],
    },
  },
  $defs: { amount: nullable('number') },
};
const check = (expression: string) => ({ id: 'c', expression, message: 'm', severity: 'error' as const });
const fieldsOf = (expression: string) => parseCheck(check(expression), schema).fields;
const outcome = (expression: string, result: unknown) => {
  const { failed, notComputed } = runChecks([parseCheck(check(expression), schema)], result);
  return failed.length > 0 ? 'failed' : notComputed.length > 0 ? 'not computed' : 'passed';
};
const invoice = {
  subtotal: 3.5,
  total: 4,
  invoice_date: '2025-01-31',
  due_date: '2025-03-02',
  iban: 'DE89 3704 0044 0532 0130 00',
  tags: ['a'],
  seller: { name: 'Contoso' },
  line_items: [
    { amount: 1.5, quantity: 1 },
    { amount: 2, quantity: 3 },
  ],
};

describe('a check', () => {
  it.each([
    ['abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01', ['line_items[].amount', 'subtotal']],
    ['due_date >= invoice_date', ['due_date', 'invoice_date']],
    ['iban == null || iban_valid(iban)', ['iban']],
    [
      'line_items.all(r, r.quantity * 2 > 1 && total > r.amount)',
      ['line_items[].quantity', 'total', 'line_items[].amount'],
    ],
    ['size(line_items) > 0', ['line_items']],
    ['line_items[0].amount <= total', ['line_items[].amount', 'total']],
    ['seller.name != ""', ['seller.name']],
    ['tags.exists(t, t == "a")', ['tags[]']],
    ['date(due_date) - date(invoice_date) <= duration("2400h")', ['due_date', 'invoice_date']],
  ])('has its fields and passes: %s', (expression, fields) => {
    expect(fieldsOf(expression)).toEqual(fields);
    expect(outcome(expression, invoice)).toBe('passed');
  });

  it.each([
    ['abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01', { subtotal: 3.6 }],
    ['due_date >= invoice_date', { due_date: '2025-01-30' }],
    ['iban == null || iban_valid(iban)', { iban: 'DE88 3704 0044 0532 0130 00' }],
    ['total * 2 == 8', { total: 4.5 }],
  ])('fails if its value is false: %s', (expression, change) => {
    expect(outcome(expression, { ...invoice, ...change })).toBe('failed');
  });

  it.each([
    ['due_date >= invoice_date', { due_date: null }],
    ['abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01', { line_items: [{ amount: null, quantity: 1 }] }],
    ['abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01', { line_items: null }],
    ['date(due_date) > date(invoice_date)', { due_date: 'soon' }],
    ['total > subtotal', { total: 'four' }],
  ])('does not fail if a value is missing or of another type: %s', (expression, change) => {
    expect(outcome(expression, { ...invoice, ...change })).toBe('not computed');
  });

  it.each([
    ['total >', 'Unexpected token'],
    ['gross > 1', 'no field named gross'],
    ['line_items.all(r, r.price > 1)', 'line_items[] has no field named price'],
    ['1 < 2', 'names no field'],
    ['total + 1', 'true or false'],
    ['iban.matches("(a+)+$")', 'cannot use matches()'],
    ['tags.all(a, tags.all(b, tags.all(c, a == b + c)))', 'nests more than 2'],
    ['line_items.all(a, line_items.all(b, line_items == line_items))', 'nests more than 2'],
    [`total > 1 && ${'1 < 2 && '.repeat(400)}true`, ''],
    ['constructor.name == "Object"', 'no field named constructor'],
    ['seller.__proto__ == null', 'no field named __proto__'],
  ])('is refused with the position of the error: %.60s', (expression, message) => {
    expect(() => parseCheck(check(expression), schema)).toThrow(CheckError);
    try {
      parseCheck(check(expression), schema);
    } catch (error) {
      expect(error).toMatchObject({
        check: 'c',
        position: expect.any(Number),
        message: expect.stringContaining(message),
      });
    }
  });

  it('is refused with the position of the unknown name', () => {
    expect(() => parseCheck(check('total > 1 && gross > 1'), schema)).toThrow(
      expect.objectContaining({ position: 13 }),
    );
  });

  it('does not block the server: it is not computed on long lists and texts', () => {
    const rows = Array.from({ length: 20_000 }, () => ({ amount: 1, quantity: 1 }));
    const started = performance.now();
    expect(
      outcome('line_items.all(a, line_items.all(b, a.amount == b.amount))', { ...invoice, line_items: rows }),
    ).toBe('not computed');
    expect(outcome('sum(line_items.map(r, r.amount)) == 20000', { ...invoice, line_items: rows })).toBe('passed');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('throws only a CheckError for generated expressions and values', () => {
    const atom = fc.constantFrom(
      'total',
      'subtotal',
      'iban',
      'tags',
      'line_items',
      'r',
      '1',
      '0.5',
      '"x"',
      'null',
      '[1]',
    );
    const expressions = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        atom,
        fc
          .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '==', '<', '&&', '||', 'in'), tie('expression'))
          .map((p) => `(${p.join(' ')})`),
        fc
          .tuple(atom, fc.constantFrom('map', 'all', 'filter', 'exists'), tie('expression'))
          .map(([of, macro, body]) => `${of}.${macro}(r, ${body})`),
        fc
          .tuple(fc.constantFrom('sum', 'abs', 'date', 'size', 'iban_valid', 'max'), tie('expression'))
          .map(([name, of]) => `${name}(${of})`),
      ),
    })).expression;
    const value = fc.oneof(
      fc.double(),
      fc.string(),
      fc.constant(null),
      fc.array(fc.record({ amount: fc.double() }), { maxLength: 5 }),
    );
    let parsed = 0;
    fc.assert(
      fc.property(
        expressions,
        fc.record({ total: value, subtotal: value, iban: value, tags: value, line_items: value }),
        (expression, result) => {
          try {
            runChecks([parseCheck(check(expression), schema)], result);
            parsed++;
          } catch (error) {
            expect(error).toBeInstanceOf(CheckError);
          }
        },
      ),
      { numRuns: 2000 },
    );
    expect(parsed).toBeGreaterThan(50);
  });
});
