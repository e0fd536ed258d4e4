import { describe, expect, it } from 'vitest';
import { parseValue } from './field-value.ts';
import { fieldsOf, resultTree } from './result-tree.ts';

const schema = {
  type: 'object',
  properties: {
    total: { type: ['number', 'null'], description: 'What is due' },
    paid: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    line_items: {
      type: 'array',
      items: { type: 'object', properties: { description: { type: 'string' }, amount: { type: 'number' } } },
    },
    customer: { type: 'object', properties: { vatNumber: { type: 'string' } } },
    notes: { type: 'array', items: { type: 'string' } },
  },
};

const result = {
  notes: ['30 days', 'net'],
  customer: { vatNumber: 'DE1' },
  line_items: [{ amount: 60, description: 'Consulting' }, { amount: 30 }],
  paid: null,
  total: 110,
};

describe('resultTree', () => {
  const tree = resultTree(result, schema);

  it('follows the order of the schema, not of the answer', () => {
    expect(tree.map((node) => node.path)).toEqual(['total', 'paid', 'line_items', 'customer', 'notes']);
  });

  it('gives every value the dotted path that grounding and edits use', () => {
    expect(fieldsOf(tree).map((field) => field.path)).toEqual([
      'total',
      'paid',
      'line_items.0.description',
      'line_items.0.amount',
      'line_items.1.description',
      'line_items.1.amount',
      'customer.vatNumber',
      'notes.0',
      'notes.1',
    ]);
  });

  it('turns a list of flat objects into a table with every column in every row', () => {
    const table = tree.find((node) => node.kind === 'table');
    expect(table?.columns.map(({ label }) => label)).toEqual(['Description', 'Amount']);
    expect(table?.rows[1]?.map(({ value }) => value)).toEqual([null, 30]);
  });

  it('reads type, nullability and description from the schema', () => {
    const [total, paid] = fieldsOf(tree);
    expect(total?.shape).toEqual({ type: 'number', nullable: true, description: 'What is due' });
    expect(paid?.shape).toMatchObject({ type: 'boolean', nullable: true });
  });

  it('turns a list of nested objects into groups', () => {
    const [node] = resultTree({ parties: [{ name: 'A', address: { city: 'B' } }] }, undefined);
    expect(node).toMatchObject({ kind: 'group', children: [{ kind: 'group', path: 'parties.0' }] });
  });
});

describe('parseValue', () => {
  it('keeps text and parses numbers', () => {
    expect(parseValue('0012', { type: 'text', nullable: true })).toEqual({ ok: true, value: '0012' });
    expect(parseValue(' 12.5 ', { type: 'number', nullable: false })).toEqual({ ok: true, value: 12.5 });
  });

  it('turns empty text into null if the schema allows it, and rejects it otherwise', () => {
    expect(parseValue('', { type: 'number', nullable: true })).toEqual({ ok: true, value: null });
    expect(parseValue('', { type: 'number', nullable: false }).ok).toBe(false);
    expect(parseValue('1,23,4', { type: 'number', nullable: false }).ok).toBe(false);
    expect(parseValue('1.5', { type: 'integer', nullable: false }).ok).toBe(false);
  });
});
