import { expect, test } from 'vitest';
import { wishesIn } from './schema-wishes.ts';

test.each([
  ['Create a schema for it and extract it', null],
  ['Tag it, create a schema for this invoice and extract it', null],
  ['Create a schema with number, date and total', ['number', 'date', 'total']],
])('%s: the only fields are %j', (request, only) => {
  expect(wishesIn(request).only).toEqual(only);
});
