import { expect, test } from 'vitest';
import { UsageError } from './exit-codes.ts';
import { pickByName } from './names.ts';

const named = (...names: string[]) => names.map((name, at) => ({ id: `id-${at}`, name }));

test.each([
  ['the exact name before other letter case', 'a.pdf', named('A.pdf', 'a.pdf'), 'id-1'],
  ['the same name in other letter case', 'INVOICE.pdf', named('invoice.pdf', 'invoice.pdf.txt'), 'id-0'],
  ['a part of one name alone', 'inv', named('invoice.pdf'), 'id-0'],
  ['nothing if nothing was found', 'inv', [], undefined],
])('picks %s', (_, wanted, found, id) => {
  expect(pickByName('document', wanted, found)?.id).toBe(id);
});

test('lists all matches of an ambiguous name, with control characters made visible', () => {
  const pick = () => pickByName('document', 'x', named('x\u001b[2J', 'xx'));
  expect(pick).toThrow(UsageError);
  expect(pick).toThrow('More than one document matches "x". Name one by its id:\n  id-0  x␛[2J\n  id-1  xx');
});
