import { describe, expect, it } from 'vitest';
import { createToolBench } from '../../../testing/tool-bench.ts';

function format(...fields: string[]) {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: ['string', 'null'] }]));
  const schema = { type: 'object', properties, required: fields, additionalProperties: false };
  return { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
}

interface Reference {
  schema_id: string;
  schema_revid: string;
}

describe('schema tools', () => {
  it('create, change and read a schema, and keep the newest revision as the working state', async () => {
    const bench = createToolBench();
    const made = (await bench.run('create_schema', { name: 'Invoice', response_format: format('total') })) as Reference;
    expect(made).toMatchObject({ schema_version: 1, name: 'Invoice' });
    expect(bench.state.schema_revid).toBe(made.schema_revid);

    const changed = (await bench.run('update_schema', {
      schema_id: made.schema_id,
      response_format: format('total', 'date'),
    })) as Reference;
    expect(changed).toMatchObject({ schema_id: made.schema_id, schema_version: 2, name: 'Invoice' });
    expect(bench.state.schema_revid).toBe(changed.schema_revid);
    expect(await bench.run('list_schemas', { name_search: 'inv' })).toEqual({
      schemas: [{ ...(changed as object), fields: 'total, date' }],
      total_count: 1,
    });
    expect(await bench.run('get_schema', { schema_revid: made.schema_revid })).toMatchObject({
      response_format: format('total'),
    });
  });

  it('write once for one call id', async () => {
    const bench = createToolBench();
    const args = { name: 'Invoice', response_format: format('total') };
    const first = await bench.run('create_schema', args, { callId: 'c1' });
    expect(await bench.run('create_schema', args, { callId: 'c1' })).toEqual(first);
    expect(bench.services.store.schemas).toHaveLength(1);
  });

  it('validate a format, and report text that is not JSON', async () => {
    const bench = createToolBench();
    expect(await bench.run('validate_schema', { schema: JSON.stringify(format('total')) })).toEqual({ valid: true });
    const open = { type: 'object', properties: { a: { type: 'string' } }, required: [] };
    expect(await bench.run('validate_schema', { schema: JSON.stringify(open) })).toMatchObject({ valid: false });
    const deep = `${'{"items":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
    expect(await bench.run('validate_schema', { schema: deep })).toMatchObject({
      errors: [{ message: 'It must not be nested deeper than 80 levels.' }],
    });
    expect(await bench.run('validate_schema', { schema: '{"type": ' })).toMatchObject({
      valid: false,
      errors: [{ message: expect.stringContaining('not JSON') }],
    });
  });

  it('preview collisions, differences and dependents', async () => {
    const bench = createToolBench();
    const made = (await bench.run('create_schema', { name: 'Invoice', response_format: format('total') })) as Reference;
    expect(await bench.preview('create_schema', { name: 'invoice', response_format: format('a') })).toEqual({
      kind: 'create',
      collides_with: [{ id: made.schema_id, name: 'Invoice' }],
    });
    expect(
      await bench.preview('create_schema', { name: 'Invoices of May', response_format: format('a') }),
    ).toMatchObject({ collides_with: [] });

    const difference = await bench.preview('update_schema', { schema_id: made.schema_id, name: 'Bill' });
    expect(difference).toMatchObject({
      kind: 'difference',
      before: expect.stringContaining('Name: Invoice'),
      after: expect.stringContaining('Name: Bill'),
    });

    await bench.run('create_prompt', { name: 'Read it', content: 'Take the total.', schema_id: made.schema_id });
    expect(await bench.preview('delete_schema', { schema_id: made.schema_id })).toMatchObject({
      kind: 'delete',
      name: 'Invoice',
      dependents: [{ kind: 'prompt', name: 'Read it' }],
    });
    await expect(bench.run('delete_schema', { schema_id: made.schema_id })).rejects.toThrow(/in use/u);
  });

  it('remove a deleted schema from the working state, also when the call is repeated', async () => {
    const bench = createToolBench();
    const made = (await bench.run('create_schema', { name: 'Invoice', response_format: format('total') })) as Reference;
    await bench.run('delete_schema', { schema_id: made.schema_id }, { callId: 'gone' });
    await bench.run('delete_schema', { schema_id: made.schema_id }, { callId: 'gone' });
    expect(bench.state.schema_revid).toBeNull();
  });

  it('refuse an empty change and an invalid id', async () => {
    const bench = createToolBench();
    await expect(bench.run('update_schema', { schema_id: 'a'.repeat(24) })).rejects.toThrow(/at least one thing/u);
    await expect(bench.run('get_schema', { schema_revid: 'invoice' })).rejects.toThrow(/24 hex/u);
  });
});
