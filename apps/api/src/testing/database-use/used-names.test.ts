import { expect, test } from 'vitest';
import { documentedNames, pageFrom } from './documented-use.ts';
import { usedNames } from './used-names.ts';

const linesOf = (name: string, command: Record<string, unknown>) =>
  usedNames(name, command).map(([kind, usedName]) => `${kind}: ${usedName}`);

test.each([
  [
    'find',
    {
      filter: { $or: [{ a: { $in: [{ $no: 1 }] } }, { $expr: { $lte: ['$at', '$$NOW'] } }] },
      sort: { s: { $meta: 'textScore' } },
    },
    [
      'operators of filters: $or',
      'operators of filters: $in',
      'operators of filters: $expr',
      'expressions: $lte',
      'variables: $$NOW',
      'projections: $meta',
    ],
  ],
  [
    'update',
    { updates: [{ q: { _id: 1 }, u: { $set: { a: { $no: 1 } }, $push: { list: { $each: [], $slice: -5 } } } }] },
    [
      'operators of updates: $set',
      'operators of updates: $push',
      'operators of updates: $each',
      'operators of updates: $slice',
    ],
  ],
  [
    'aggregate',
    { pipeline: [{ $match: { a: { $gt: 1 } } }, { $group: { _id: null, n: { $sum: 1 } } }] },
    ['stages: $match', 'operators of filters: $gt', 'stages: $group', 'expressions: $sum'],
  ],
  [
    'createIndexes',
    { indexes: [{ key: { a: 1, b: 1 }, name: 'x', unique: true, partialFilterExpression: { c: { $exists: true } } }] },
    [
      'kinds of indexes: several fields',
      'kinds of indexes: unique',
      'kinds of indexes: partialFilterExpression',
      'operators of filters: $exists',
    ],
  ],
])('%s %o', (name, command, lines) => {
  expect(linesOf(name, command)).toEqual([`commands: ${name}`, ...lines]);
});

test('stored values and the commands of the driver and of tests alone count for nothing', () => {
  expect(linesOf('insert', { documents: [{ $no: 1 }] })).toEqual(['commands: insert']);
  expect(linesOf('hello', {})).toEqual([]);
  expect(linesOf('dropDatabase', {})).toEqual([]);
});

test('the page is rewritten between its markers, and can be read back', () => {
  const page = pageFrom(
    'commands\tfind\nstages\t$match\ncommands\taggregate\n',
    'A\n<!-- from the tests -->\nold\n<!-- end -->\nB\n',
  );
  expect(page).toMatch(/^A\n<!-- from the tests -->\n[^]*<!-- end -->\nB\n$/u);
  expect(page).toContain('| commands | `aggregate` `find` |');
  expect(page).not.toContain('old');
  expect(documentedNames(page).get('stages')).toEqual(new Set(['$match']));
});
