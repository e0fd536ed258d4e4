import { expect, it } from 'vitest';
import { createDataValidator } from './data-validator.ts';

const revision = (schema_revid: string, amount: unknown) => ({
  schema_revid,
  response_format: {
    type: 'json_schema' as const,
    json_schema: {
      name: 'rows',
      strict: true,
      schema: {
        type: 'object',
        properties: {
          rows: {
            type: 'array',
            items: { type: 'object', properties: { amount }, required: ['amount'], additionalProperties: false },
          },
        },
        required: ['rows'],
        additionalProperties: false,
      },
    },
  },
});

it('reports every error with its dotted path', () => {
  const validate = createDataValidator();
  const numbers = revision('a', { type: 'number' });
  expect(validate(numbers, { rows: [{ amount: 1 }] })).toEqual({ valid: true, errors: [] });
  expect(validate(numbers, { rows: [{ amount: 'x', note: 1 }, {}] }).errors).toEqual([
    { path: 'rows.0.note', message: 'is not a property of the schema' },
    { path: 'rows.0.amount', message: 'must be number' },
    { path: 'rows.1.amount', message: 'is required but missing' },
  ]);
  expect(validate(numbers, undefined).valid).toBe(false);
});

it('checks formats, and patterns in linear time', () => {
  const validate = createDataValidator();
  const dates = revision('d', { type: 'string', format: 'date' });
  expect(validate(dates, { rows: [{ amount: '2025-02-30' }] }).errors[0]?.message).toMatch(/date/);
  const patterns = revision('p', { type: 'string', pattern: '^(a+)+$' });
  const started = performance.now();
  expect(validate(patterns, { rows: [{ amount: `${'a'.repeat(50_000)}!` }] }).valid).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});

it('rejects deeply nested data without a stack overflow', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(createDataValidator()(revision('x', {}), { rows: [{ amount: deep }] }).errors[0]?.message).toMatch(/deeper/);
});

it('finds equal items without comparing every pair', () => {
  const lists = revision('u', { type: 'array', uniqueItems: true });
  const validate = createDataValidator();
  const many = Array.from({ length: 30_000 }, (_, index) => ({ index, half: index }));
  const started = performance.now();
  expect(validate(lists, { rows: [{ amount: many }] }).valid).toBe(true);
  expect(performance.now() - started).toBeLessThan(2000);
  const twice = [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ];
  expect(validate(lists, { rows: [{ amount: twice }] }).errors).toEqual([
    { path: 'rows.0.amount', message: 'must not have the same item twice' },
  ]);
});
