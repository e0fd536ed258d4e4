import { expect, it } from 'vitest';
import { schemaInArguments, schemaRows } from './schema-rows.ts';

it('lists the fields of a proposed schema, nested ones below their parent', () => {
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
    { name: 'total', depth: 0, type: 'number', description: 'What is due' },
    { name: 'currency', depth: 0, type: 'one of EUR, USD', description: '' },
    { name: 'items', depth: 0, type: 'list of groups', description: '' },
    { name: 'due', depth: 1, type: 'date', description: '' },
    { name: 'notes', depth: 0, type: 'list of text', description: '' },
  ]);
  expect(schemaInArguments({ name: 'x' })).toBeUndefined();
});
