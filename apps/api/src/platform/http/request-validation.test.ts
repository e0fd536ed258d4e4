import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateRequest, type InvalidRequest } from './request-validation.ts';

const form = z.union([
  z.strictObject({ kind: z.enum(['a', 'b']), list: z.array(z.number()) }),
  z.strictObject({ name: z.string() }),
]);

function issuesOf(data: unknown, schema: z.ZodType = form) {
  const validate = validateRequest({ schema, method: 'POST', url: '/' });
  const { error } = validate(data) as { error?: InvalidRequest };
  return error?.issues.map(({ path, message }) => `${path}: ${message}`);
}

test.each([
  ['a missing field', {}, z.object({ n: z.number() }), ['n: It is missing.']],
  ['a value of another type', { n: 'x' }, z.object({ n: z.number() }), ['n: It takes a number.']],
  ['a query that is not a number', { n: 'x' }, z.object({ n: z.coerce.number() }), ['n: It takes a number.']],
  ['a value that is not in the list', 'c', z.enum(['a', 'b']), [': It takes one of "a", "b".']],
  ['an unknown field', { name: 'x', more: 1 }, z.strictObject({ name: z.string() }), [': It has no field "more".']],
  ['the nearest variant of a union', { kind: 'a', list: [1, 'x'] }, form, ['list.1: It takes a number.']],
  ['a list that is too long', [1, 2, 3], z.array(z.number()).max(2), [': It takes 2 entries at most.']],
  ['a text that is too short', '', z.string().min(1), [': It takes 1 character at least.']],
  ['a number that is too large', 1001, z.number().max(1000), [': It takes 1000 at most.']],
  ['a number at its exclusive minimum', 0, z.number().positive(), [': It takes more than 0.']],
  ['a value that matches no variant', 7, form, [': It takes an object.']],
])('%s is reported with its place and what is expected', (_what, data, schema, expected) => {
  expect(issuesOf(data, schema)).toEqual(expected);
});

test('null counts as absent where a field is optional', () => {
  const schema = z.strictObject({ n: z.number(), more: z.object({ s: z.string().optional() }).optional() });
  const validate = validateRequest({ schema, method: 'POST', url: '/' });
  expect(validate({ n: 1, more: { s: null } })).toEqual({ value: { n: 1, more: {} } });
  expect(validate({ n: 1, more: null })).toEqual({ value: { n: 1 } });
  expect(issuesOf({ n: null }, schema)).toEqual(['n: It takes a number.']);
  expect(issuesOf([null], z.array(z.number()))).toEqual(['0: It takes a number.']);
});

test('a valid value is passed on as parsed, and at most 20 issues are reported', () => {
  expect(issuesOf({ name: 'x' })).toBeUndefined();
  expect(
    issuesOf(
      Array.from({ length: 1000 }, () => 'x'.repeat(9999)),
      z.array(z.number()),
    ),
  ).toHaveLength(20);
});
