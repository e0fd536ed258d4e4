import { expect, it } from 'vitest';
import { schemaDifference } from './schema-difference.ts';
import { schemaInArguments, schemaRows } from './schema-rows.ts';

it('reads a proposed schema as the fields it asks for, nested ones below their own', () => {
  const schema = schemaInArguments({
    name: 'Invoice',
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'invoice',
        schema: {
          type: 'object',
          properties: {
            total: { type: ['number', 'null'], description: 'What is due' },
            currency: { enum: ['EUR', 'USD', null] },
            items: {
              type: 'array',
              items: { type: 'object', properties: { due: { type: 'string', format: 'date' } } },
            },
            notes: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  });
  expect(schemaRows(schema!)).toEqual([
    { path: 'total', name: 'total', depth: 0, type: 'number', description: 'What is due' },
    { path: 'currency', name: 'currency', depth: 0, type: 'one of EUR, USD', description: '' },
    { path: 'items', name: 'items', depth: 0, type: 'list of groups', description: '' },
    { path: 'items.due', name: 'due', depth: 1, type: 'date', description: '' },
    { path: 'notes', name: 'notes', depth: 0, type: 'list of text', description: '' },
  ]);
  expect(schemaInArguments({ name: 'x' })).toBeUndefined();
});

it('tells what fields a schema gains, loses and changes, whatever the order of its keys', () => {
  const format = (properties: object, extra: object = {}) =>
    `Name: Invoice\n${JSON.stringify({ ...extra, json_schema: { schema: { properties, type: 'object' } } }, null, 2)}`;
  const before = format({ total: { type: 'string' }, iban: { type: 'string' }, date: { type: 'string' } });
  const after = format(
    { date: { type: 'string' }, total: { type: 'number' }, bank: { type: 'string' } },
    { type: 'x' },
  );
  expect(schemaDifference(before, after)).toMatchObject({
    kept: 1,
    rows: [
      { kind: 'removed', path: 'iban' },
      { kind: 'changed', path: 'total', before: { type: 'text' }, type: 'number' },
      { kind: 'added', path: 'bank' },
    ],
  });
  expect(schemaDifference('Say what is due.', 'Say more.')).toBeUndefined();
});
