import { readAllowedValues, writeAllowedValues, type Column, type ResponseFormat } from '@docwright/contract';
import {
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  uniqueArray,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkResponseFormat } from '../schemas/response-format-rules.ts';
import { columnsOfFormat } from './columns-of-format.ts';
import { formatOfColumns, type GivenColumn } from './format-of-columns.ts';

const names = oneof(
  string({ minLength: 1, maxLength: 40 }),
  constantFrom(
    'Total',
    '2024',
    '1',
    'rows',
    'toString',
    'hasOwnProperty',
    'Größe',
    'a b',
    '請求書',
    '$ref',
    'type',
    '~1',
    'a/b',
  ),
).filter(
  (name) => name.trim() !== '' && !/[.\p{Cc}]/u.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name),
);

const values: Record<Column['type'], Arbitrary<string>> = {
  text: string({ maxLength: 20 }),
  number: integer().map(String),
  currency: integer().map((cents) => String(cents / 100)),
  date: integer({ min: 0, max: 20_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
  boolean: constantFrom('true', 'false'),
};
const columns: Arbitrary<GivenColumn[]> = uniqueArray(
  constantFrom(...(Object.keys(values) as Column['type'][])).chain((type) =>
    record({
      name: names,
      type: constantFrom(type),
      description: oneof(constantFrom(''), string({ unit: 'grapheme', maxLength: 50 })),
      allowedValues: uniqueArray(values[type], { maxLength: 5 }).map(writeAllowedValues),
      regex: constantFrom('', String.raw`^[A-Z]{2}\d+$`, 'a|b'),
    }),
  ),
  { maxLength: 8, minLength: 1, selector: ({ name }) => name.trim().normalize('NFKC').toLowerCase() },
);

const withoutIds = (made: Column[]) => made.map(({ id: _id, ...column }) => column);

describe('columns', () => {
  it('become a schema that the rules take, and come back as they were', () => {
    assert(
      property(columns, boolean(), (given, multiRow) => {
        const format = formatOfColumns('Any name', given, multiRow);
        expect(checkResponseFormat(format)).toEqual({ valid: true, errors: [] });
        // As it comes back from storage.
        const stored = JSON.parse(JSON.stringify(format)) as ResponseFormat;
        const back = columnsOfFormat('s1', stored);
        expect({ ...back, columns: withoutIds(back.columns) }).toEqual({ columns: given, multi_row: multiRow });
        expect(formatOfColumns('Any name', back.columns, back.multi_row)).toEqual(format);
      }),
      { numRuns: 500 },
    );
  });

  it('keep each allowed value, however the text is spaced', () => {
    const column: GivenColumn = { name: 'A', type: 'text', description: '', allowedValues: 'a,b ,"c, d"', regex: '' };
    const [back] = columnsOfFormat('s1', formatOfColumns('A', [column], false)).columns;
    expect(readAllowedValues(back!.allowedValues)).toEqual({ values: ['a', 'b', 'c, d'] });
  });

  it('keep their ids over the revisions of a schema', () => {
    assert(
      property(columns, (given) => {
        const ids = (list: GivenColumn[]) =>
          new Map(columnsOfFormat('s1', formatOfColumns('A', list, false)).columns.map(({ name, id }) => [name, id]));
        expect(ids(given.toReversed())).toEqual(ids(given));
        expect(new Set(ids(given).values()).size).toBe(given.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a schema that says more than columns can', () => {
  const formatWith = (field: unknown, over: object = {}, name = 'total'): ResponseFormat => ({
    type: 'json_schema',
    json_schema: {
      name: 'a',
      strict: true,
      schema: { type: 'object', properties: { [name]: field }, required: [name], additionalProperties: false, ...over },
    },
  });
  const row = { type: 'object', properties: {}, required: [], additionalProperties: false };

  it.each<[string, unknown, RegExp]>([
    ['an object', { type: 'object', properties: {} }, /"total".*object with fields/],
    ['a list', { type: 'array', items: { type: 'string' } }, /"total".*list/],
    ['two types', { type: ['string', 'number'] }, /"total".*plain type/],
    ['a reference', { $ref: '#/definitions/a' }, /"total".*plain type/],
    ['another format', { type: 'string', format: 'email' }, /"total".*"email"/],
    ['a limit', { type: 'number', minimum: 0 }, /"total".*"minimum"/],
    ['a title', { type: 'string', title: 'Sum' }, /"total".*title/],
    ['values of another type', { type: 'string', enum: ['a', 1] }, /"total".*not of its type/],
    ['null alone', { type: 'null' }, /"total".*plain type/],
    ['a long description', { type: 'string', description: 'x'.repeat(5000) }, /"total".*description/],
    ['no schema', true, /"total".*type/],
  ])('is refused by the name of the field: %s', (_what, field, why) => {
    expect(() => columnsOfFormat('s1', formatWith(field))).toThrow(why);
  });

  it('is refused for what stands at the root, in the rows, or differs in case alone', () => {
    expect(() => columnsOfFormat('s1', formatWith({ type: 'string' }, { description: 'Bills' }))).toThrow(
      /"description"/,
    );
    expect(() => columnsOfFormat('s1', formatWith({ type: 'array', items: row, minItems: 1 }, {}, 'rows'))).toThrow(
      /"rows".*"minItems"/,
    );
    expect(() => columnsOfFormat('s1', formatWith({ type: 'array', items: { type: 'string' } }, {}, 'rows'))).toThrow(
      /"rows"/,
    );
    const both = { properties: { a: { type: 'string' }, A: { type: 'string' } }, required: ['a', 'A'] };
    expect(() => columnsOfFormat('s1', formatWith({}, both))).toThrow(/"A".*case/);
  });

  it('is shown all the same where only null or whole numbers are told apart', () => {
    expect(columnsOfFormat('s1', formatWith({ type: 'integer' })).columns).toMatchObject([
      { name: 'total', type: 'number' },
    ]);
  });
});
