import { array, assert, oneof, property, string, stringMatching } from 'fast-check';
import { expect, it } from 'vitest';
import { readAllowedValues, writeAllowedValues } from './allowed-values.ts';

it('reads back the values that it wrote', () => {
  assert(
    property(array(oneof(string(), stringMatching(/^[ ,"a\n]*$/))), (values) => {
      expect(readAllowedValues(writeAllowedValues(values))).toEqual({ values });
    }),
  );
});

it('reads handwritten lists', () => {
  expect(readAllowedValues(' open,paid ,, "on hold, paid" ,5" pipe')).toEqual({
    values: ['open', 'paid', 'on hold, paid', '5" pipe'],
  });
});

it.each(['"open', 'a, "b" c', '"a""'])('refuses %s', (text) => {
  expect(readAllowedValues(text)).toEqual({ problem: expect.stringContaining('not closed') });
});
