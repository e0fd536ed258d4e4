import type { ResponseFormat } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createInMemoryDocumentServices } from '../../../testing/in-memory-document-services.ts';
import { documentAgentTools } from '../index.ts';
import { withChanges, type SchemaChange } from './schema-changes.ts';

const text = { type: ['string', 'null'] };
const format: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: {
      type: 'object',
      properties: {
        total: text,
        items: {
          type: 'array',
          items: { type: 'object', properties: { sku: text }, required: ['sku'], additionalProperties: false },
        },
      },
      required: ['total', 'items'],
      additionalProperties: false,
    },
  },
};
const changed = (...changes: SchemaChange[]) => withChanges(format, changes).json_schema.schema;

it('adds, renames, replaces and removes fields, also in lists, and keeps "required" complete', () => {
  const schema = changed(
    { op: 'add', path: 'items[].amount', definition: { type: 'number' } },
    { op: 'rename', path: 'items.sku', name: 'code' },
    { op: 'set', path: 'total', definition: { type: 'number' } },
    { op: 'add', path: 'due', definition: text },
    { op: 'remove', path: 'due' },
  );
  expect(schema).toMatchObject({
    required: ['total', 'items'],
    properties: {
      total: { type: 'number' },
      items: { items: { required: ['code', 'amount'], properties: { code: text, amount: { type: 'number' } } } },
    },
  });
  expect(format.json_schema.schema).toHaveProperty('properties.items.items.properties.sku');
});

it.each<[SchemaChange, RegExp]>([
  [{ op: 'remove', path: 'date' }, /no such field; there are total, items/],
  [{ op: 'add', path: 'total', definition: text }, /"total" already; use set/],
  [{ op: 'add', path: 'seller.name', definition: text }, /no field "seller" on the way/],
  [{ op: 'rename', path: 'total' }, /new name in "name"/],
  [{ op: 'set', path: 'total' }, /"definition"/],
])('names the change that does not fit, and the reason: %o', (change, why) => {
  expect(() => changed(change)).toThrow(why);
});

it('relinks the prompts of earlier versions on request, and lists them otherwise', async () => {
  const services = createInMemoryDocumentServices();
  const origin = { call_id: 'c' };
  const { schema_id } = await services.schemas.create({ name: 'Invoice', response_format: format }, origin);
  const { prompt_id } = await services.prompts.create({ name: 'P', content: 'Read.', schema_id }, { call_id: 'p' });
  let state = { schema_revid: null, prompt_revid: null, extraction: null };
  const run = (args: Record<string, unknown>, call_id: string) => {
    const tool = documentAgentTools.get('edit_schema')!;
    const workingState = { get: () => state, update: (change: object) => (state = { ...state, ...change }) };
    const context = { services, workingState, origin: { call_id }, signal: new AbortController().signal };
    return tool.execute(context, tool.parameters.parse({ schema_id, ...args }));
  };
  const add = (path: string) => ({ changes: [{ op: 'add', path, definition: text }] });
  const named = await run(add('date'), 'one');
  expect(named).toMatchObject({ schema_version: 2, prompts_on_old_revision: [{ prompt_id, prompt_version: 1 }] });
  const relinked = await run({ ...add('due'), relink_prompts: true }, 'two');
  expect(relinked).toMatchObject({ schema_version: 3, relinked_prompts: [{ prompt_id, prompt_version: 2 }] });
  expect(await services.prompts.getCurrent(prompt_id)).toMatchObject({ schema_version: 3 });
  expect(state.prompt_revid).toBe((await services.prompts.getCurrent(prompt_id)).prompt_revid);
});

it('shows the prompts that a change concerns before it is decided, and a run that misses new fields says so', async () => {
  const services = createInMemoryDocumentServices();
  const { schema_id } = await services.schemas.create({ name: 'Invoice', response_format: format }, { call_id: 's' });
  const { prompt_id, prompt_revid } = await services.prompts.create(
    { name: 'P', content: 'Read.', schema_id },
    { call_id: 'p' },
  );
  let state = { schema_revid: null, prompt_revid: null, extraction: null };
  const workingState = { get: () => state, update: (change: object) => (state = { ...state, ...change }) };
  const contextOf = (call_id: string) => ({
    services,
    workingState,
    origin: { call_id },
    signal: new AbortController().signal,
  });
  const run = async (call_id: string) => {
    const tool = documentAgentTools.get('run_extraction')!;
    return await tool.execute(contextOf(call_id), tool.parameters.parse({ prompt_revid }));
  };
  expect(await run('first')).not.toHaveProperty('schema_is_old');
  const tool = documentAgentTools.get('edit_schema')!;
  const changes = [{ op: 'add', path: 'date', definition: text }];
  for (const moves_prompts of [false, true]) {
    const args = tool.parameters.parse({ schema_id, changes, relink_prompts: moves_prompts });
    expect(await tool.preview!(contextOf('edit'), args)).toMatchObject({
      kind: 'difference',
      schema_use: { prompts: [{ prompt_id, name: 'P', schema_version: 1, documents: 1 }], moves_prompts },
    });
  }
  await tool.execute(contextOf('edit'), tool.parameters.parse({ schema_id, changes }));
  expect(await run('second')).toMatchObject({ schema_is_old: expect.stringMatching(/version 1 .*version 2/) });
});

it('relinks the prompt of a pending proposal, too', async () => {
  const services = createInMemoryDocumentServices();
  const { schema_id } = await services.schemas.create({ name: 'Invoice', response_format: format }, { call_id: 'c' });
  const made = await services.prompts.create({ name: 'P', content: 'Read.', schema_id }, { call_id: 'p' });
  services.store.prompts = services.store.prompts.map((prompt) => ({ ...prompt, review: 'pending' }));
  const tool = documentAgentTools.get('edit_schema')!;
  const workingState = { get: () => ({ schema_revid: null, prompt_revid: null, extraction: null }), update: () => {} };
  const context = { services, workingState, origin: { call_id: 'edit' }, signal: new AbortController().signal };
  const changes = [{ op: 'add', path: 'date', definition: text }];
  const args = tool.parameters.parse({ schema_id, changes, relink_prompts: true });
  expect(await tool.execute(context, args)).toMatchObject({ relinked_prompts: [{ prompt_id: made.prompt_id }] });
});
