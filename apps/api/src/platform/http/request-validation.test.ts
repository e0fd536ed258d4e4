import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateRequest, type UnfitRequest } from './request-validation.ts';

const form = z.union([
  z.strictObject({ kind: z.enum(['a', 'b']), list: z.array(z.number()) }),
  z.strictObject({ name: z.string() }),
]);

function misfitsOf(data: unknown, schema: z.ZodType = form) {
  const validate = validateRequest({ schema, method: 'POST', url: '/' });
  const { error } = validate(data) as { error?: UnfitRequest };
  return error?.misfits.map(({ path, message }) => `${path}: ${message}`);
}

test.each([
  ['nothing where something is needed', {}, z.object({ n: z.number() }), ['n: It is missing.']],
  ['a value of another type', { n: 'x' }, z.object({ n: z.number() }), ['n: It takes a number.']],
  ['a query that is no number', { n: 'x' }, z.object({ n: z.coerce.number() }), ['n: It takes a number.']],
  ['a word that is none of them', 'c', z.enum(['a', 'b']), [': It takes one of "a", "b".']],
  [
    'a field that is not there',
    { name: 'x', more: 1 },
    z.strictObject({ name: z.string() }),
    [': It has no field "more".'],
  ],
  ['the form it is nearest to', { kind: 'a', list: [1, 'x'] }, form, ['list.1: It takes a number.']],
  ['a list that is too long', [1, 2, 3], z.array(z.number()).max(2), [': It takes 2 entries at most.']],
  ['a text that is too short', '', z.string().min(1), [': It takes 1 character at least.']],
  ['a number that is too large', 1001, z.number().max(1000), [': It takes 1000 at most.']],
  ['a number that has to be above', 0, z.number().positive(), [': It takes more than 0.']],
  ['no form at all', 7, form, [': It takes an object.']],
])('%s is said so that it can be mended', (_what, data, schema, said) => {
  expect(misfitsOf(data, schema)).toEqual(said);
});

test('null stands for what is left out, where it may be left out', () => {
  const schema = z.strictObject({ n: z.number(), more: z.object({ s: z.string().optional() }).optional() });
  const validate = validateRequest({ schema, method: 'POST', url: '/' });
  expect(validate({ n: 1, more: { s: null } })).toEqual({ value: { n: 1, more: {} } });
  expect(validate({ n: 1, more: null })).toEqual({ value: { n: 1 } });
  expect(misfitsOf({ n: null }, schema)).toEqual(['n: It takes a number.']);
  expect(misfitsOf([null], z.array(z.number()))).toEqual(['0: It takes a number.']);
});

test('what fits is passed on as its schema reads it, and of a thousand misfits twenty are reported', () => {
  expect(misfitsOf({ name: 'x' })).toBeUndefined();
  expect(
    misfitsOf(
      Array.from({ length: 1000 }, () => 'x'.repeat(9999)),
      z.array(z.number()),
    ),
  ).toHaveLength(20);
});
