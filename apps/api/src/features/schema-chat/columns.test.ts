import { readAllowedValues, writeAllowedValues, type Column, type ResponseFormat } from '@docwright/contract';
import {
  assert,
  boolean,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
  record,
  string,
  uniqueArray,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkResponseFormat } from '../schemas/response-format-rules.ts';
import { changedTables, columnsOfFormat, exactTypesOf, rowsOf } from './columns-of-format.ts';
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
  it('become a valid schema', () => {
    assert(
      property(columns, boolean(), (given, multiRow) => {
        expect(checkResponseFormat(formatOfColumns('Any name', given, multiRow))).toEqual({ valid: true, errors: [] });
      }),
      // Each run compiles a schema, which takes most of the time: 500 runs reached the time limit of a test on a busy
      // machine.
      { numRuns: 100 },
    );
  });

  it('are the same after a round trip', () => {
    assert(
      property(columns, boolean(), (given, multiRow) => {
        const format = formatOfColumns('Any name', given, multiRow);
        // As read from the database.
        const stored = JSON.parse(JSON.stringify(format)) as ResponseFormat;
        const back = columnsOfFormat('s1', stored);
        expect({ ...back, columns: withoutIds(back.columns) }).toEqual({
          columns: given,
          multi_row: multiRow,
          kept: [],
        });
        expect(formatOfColumns('Any name', back.columns, back.multi_row)).toEqual(format);
      }),
      { numRuns: 500 },
    );
  });

  it('preserve each allowed value with any spacing', () => {
    const column: GivenColumn = { name: 'A', type: 'text', description: '', allowedValues: 'a,b ,"c, d"', regex: '' };
    const [back] = columnsOfFormat('s1', formatOfColumns('A', [column], false)).columns;
    expect(readAllowedValues(back!.allowedValues)).toEqual({ values: ['a', 'b', 'c, d'] });
  });

  it('have the same ids in all revisions of a schema', () => {
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

describe('a schema that columns cannot fully express', () => {
  const saved = (format: ResponseFormat) => {
    const { columns: own, multi_row, kept } = columnsOfFormat('s1', format);
    return formatOfColumns(format.json_schema.name, own, multi_row, {
      format,
      exact: exactTypesOf(format),
      kept: kept.map(({ name }) => name),
      rows: rowsOf(format.json_schema.schema),
    });
  };
  const formatOf = (properties: Record<string, unknown>, over: object = {}): ResponseFormat => ({
    type: 'json_schema',
    json_schema: {
      name: 'kind',
      strict: true,
      schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...over },
    },
  });
  const objectOf = (properties: Record<string, unknown>) => formatOf(properties).json_schema.schema;

  it.each<[string, unknown, RegExp]>([
    ['an object', { type: 'object', properties: {} }, /object with fields/],
    ['a list', { type: 'array', items: { type: 'string' } }, /list/],
    ['two types', { type: ['string', 'number'] }, /plain type/],
    ['a reference', { $ref: '#/definitions/a' }, /plain type/],
    ['another format', { type: 'string', format: 'email' }, /"email"/],
    ['a limit', { type: 'number', minimum: 0 }, /"minimum"/],
    ['a title', { type: 'string', title: 'Sum' }, /title/],
    ['values of another type', { type: 'string', enum: ['a', 1] }, /not of its type/],
    ['null alone', { type: 'null' }, /plain type/],
    ['a long description', { type: 'string', description: 'x'.repeat(5000) }, /description/],
    ['no schema', true, /type/],
  ])('opens, with what is no column as it is: %s', (_what, field, why) => {
    const format = formatOf({ a: { type: ['string', 'null'] }, total: field, b: { type: ['number', 'null'] } });
    const { columns: own, kept } = columnsOfFormat('s1', format);
    expect(own.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(kept).toMatchObject([{ name: 'total', why: expect.stringMatching(why), schema: field }]);
    expect(saved(format)).toEqual(format);
  });

  it('shows lists of objects as tables', () => {
    const items = objectOf({ description: { type: ['string', 'null'] }, amount: { type: ['number', 'null'] } });
    const { kept } = columnsOfFormat('s1', formatOf({ line_items: { type: 'array', items } }));
    expect(kept[0]?.columns).toMatchObject([
      { name: 'description', type: 'text' },
      { name: 'amount', type: 'number' },
    ]);
  });

  it('changes the columns of a table and preserves the rest of its list', () => {
    const inner = { type: 'array', items: { type: 'string' } };
    const items = {
      ...objectOf({ amount: { type: 'integer' }, notes: inner, state: { type: ['string', 'null'] } }),
      description: 'A line',
    };
    const lines = { type: 'array', minItems: 1, items };
    const format = formatOf({ number: { type: ['string', 'null'] }, lines });
    const { columns, kept } = columnsOfFormat('s1', format);
    const [amount, state] = kept[0]!.columns!;
    const added = { ...state!, name: 'unit', description: 'kg or pieces' };
    const tables = changedTables(format, [{ name: 'lines', columns: [added, { ...amount!, description: 'Net' }] }]);
    const before = { format, exact: exactTypesOf(format), kept: ['lines'], rows: undefined };
    const { schema } = formatOfColumns('A', columns, false, { ...before, tables }).json_schema;
    const changed = {
      unit: { type: ['string', 'null'], description: 'kg or pieces' },
      amount: { type: 'integer', description: 'Net' },
      notes: inner,
    };
    expect(schema).toMatchObject({ required: ['number', 'lines'] });
    expect((schema['properties'] as Record<string, unknown>)['lines']).toEqual({
      type: 'array',
      minItems: 1,
      items: { ...objectOf(changed), description: 'A line' },
    });
    // Unchanged columns give the same schema.
    const same = changedTables(format, [{ name: 'lines', columns: kept[0]!.columns! }]);
    expect(same.get('lines')).toEqual(lines);
    const wrong = { ...state!, name: 'a.b' };
    expect(() => changedTables(format, [{ name: 'lines', columns: [wrong] }])).toThrow(/lines\.a\.b/u);
    expect(() => changedTables(format, [{ name: 'number', columns: [added] }])).toThrow(/no list of objects/u);
  });

  it('make a new list of a table that the schema does not have', () => {
    const format = formatOf({ iban: { type: ['string', 'null'] } });
    const { columns } = columnsOfFormat('s1', format);
    const amount = { ...columns[0]!, name: 'amount', type: 'currency' as const };
    const before = { format, exact: exactTypesOf(format), kept: [], rows: undefined };
    const withTable = (name: string) =>
      formatOfColumns('A', columns, false, { ...before, tables: changedTables(format, [{ name, columns: [amount] }]) });
    const { schema } = withTable('transactions').json_schema;
    expect(schema).toMatchObject({ required: ['iban', 'transactions'] });
    expect((schema['properties'] as Record<string, unknown>)['transactions']).toEqual({
      type: 'array',
      items: objectOf({ amount: { type: ['number', 'null'], title: 'currency' } }),
    });
    expect(columnsOfFormat('s1', withTable('transactions')).kept).toMatchObject([
      { name: 'transactions', columns: [{ name: 'amount', type: 'currency' }] },
    ]);
    expect(() => withTable('IBAN')).toThrow(/Choose another name for the list/u);
  });

  it('preserves a nested list while other columns change', () => {
    const parts = {
      items: {
        required: ['weight', 'code'],
        properties: { weight: { type: 'number', minimum: 0 }, code: { description: 'As printed', type: 'string' } },
        additionalProperties: false,
        type: 'object',
      },
      maxItems: 9,
      type: 'array',
    };
    const items = objectOf({ amount: { type: ['number', 'null'] }, parts, unit: { type: ['string', 'null'] } });
    const format = formatOf({ number: { type: ['string', 'null'] }, lines: { type: 'array', items } });
    const { columns, kept } = columnsOfFormat('s1', format);
    const [amount, unit] = kept[0]!.columns!;
    const partsOf = (tableColumns: GivenColumn[], rootColumns: GivenColumn[]) => {
      const tables = changedTables(format, [{ name: 'lines', columns: tableColumns }]);
      const before = { format, exact: exactTypesOf(format), kept: ['lines'], rows: undefined, tables };
      const { schema } = formatOfColumns('A', rootColumns, false, before).json_schema;
      const { lines } = schema['properties'] as { lines: { items: { properties: Record<string, unknown> } } };
      return JSON.stringify(lines.items.properties['parts']);
    };
    const renamed = { ...amount!, name: 'net', description: 'Without tax' };
    for (const table of [[amount!, unit!], [renamed, unit!], [unit!], [unit!, { ...unit!, name: 'size' }, amount!]]) {
      expect(partsOf(table, columns)).toBe(JSON.stringify(parts));
      expect(partsOf(table, [{ ...columns[0]!, name: 'invoice' }])).toBe(JSON.stringify(parts));
    }
  });

  it('preserves keywords of its root and its rows', () => {
    const definitions = { a: { type: 'string' } };
    for (const format of [
      formatOf({ total: { $ref: '#/definitions/a' } }, { definitions, description: 'Bills' }),
      formatOf({
        rows: { type: 'array', minItems: 1, items: { ...objectOf({ a: { type: 'string' } }), title: 'Row' } },
      }),
      formatOf({ rows: { type: 'array', items: { type: 'string' } } }),
      formatOf({ a: { type: ['string', 'null'] }, A: { type: ['string', 'null'] } }),
    ]) {
      expect(saved(format)).toEqual(format);
    }
  });

  it('rejects a column with the name of a kept field', () => {
    const format = formatOf({ lines: { type: 'array', items: { type: 'string' } } });
    const before = { format, exact: exactTypesOf(format), kept: ['lines'], rows: undefined };
    const given = { name: 'Lines', type: 'text' as const, description: '', allowedValues: '', regex: '' };
    expect(() => formatOfColumns('A', [given], false, before)).toThrow(/There is a column "lines"/);
  });

  it('is the same after a round trip, for any schema that an agent creates', () => {
    const plain = oneof(
      constantFrom(
        { type: ['string', 'null'] },
        { type: 'string' },
        { type: 'integer' },
        { type: ['boolean', 'null'] },
      ),
      constantFrom({ type: ['number', 'null'], title: 'currency' }, { type: ['string', 'null'], format: 'date' }),
      constantFrom({ type: 'number', minimum: 0 }, { type: ['string', 'null'], title: 'A title' }),
    );
    const { field } = letrec<{ field: unknown; object: unknown }>((tie) => ({
      field: oneof(
        { maxDepth: 3 },
        plain,
        record({ type: constantFrom('array'), items: oneof(plain, tie('object')) }),
        tie('object'),
      ),
      object: dictionary(names, tie('field'), { maxKeys: 4, noNullPrototype: true }).map(objectOf),
    }));
    assert(
      property(dictionary(names, field, { minKeys: 1, maxKeys: 6, noNullPrototype: true }), (properties) => {
        const format = formatOf(properties);
        expect(saved(format)).toEqual(format);
      }),
      { numRuns: 300 },
    );
  });
});
