import type { Source } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMcpTestBench, type McpTestBench } from '../../testing/mcp-test-bench.ts';
import { offeredTools } from './calls/offered-tools.ts';

/** The model of a client is none of the organization's: nobody can say that it is local. */
let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

const marked = 'Zaubernuss';
const pipeline = {
  parsers: [{ extensions: ['*'], plugin_id: 'plain', config: {} }],
  chunker: { plugin_id: 'page', config: {} },
  embedder: null,
};

async function stocked() {
  const user = await bench.addOrganization();
  const { id: open } = await bench.documentOf(user, 'Invoice of Contoso');
  const { id: kept } = await bench.documentOf(user, `Invoice of ${marked}`);
  const { call, client } = await bench.connect(user);
  await expect.poll(async () => (await call('get_ocr_text', { document_id: kept })).isError).toBe(false);
  const keep = async () => user.patch(`./documents/${kept}`, { never_to_model: true, document_name: `${marked}.txt` });
  return { user, open, kept, keep, call, client };
}

it('no tool that works on a document shows one that no model may see, and neither does a resource', async () => {
  const { open, kept, keep, call, client } = await stocked();
  const waiting = (await call('create_tag', { document_id: kept, name: marked })).value;
  expect(waiting).toMatchObject({ status: 'awaiting_approval' });
  const { document_id, turn_id } = waiting;
  expect((await keep()).status).toBe(200);
  for (const { name, inputSchema } of offeredTools) {
    if (!(inputSchema.required ?? []).includes('document_id') || name === 'get_call') continue;
    const refused = await call(name, { document_id: kept });
    expect([name, refused]).toMatchObject([
      name,
      { isError: true, value: { error: expect.stringContaining('No model') } },
    ]);
  }
  expect(await call('get_call', { document_id, turn_id })).toMatchObject({ isError: true });
  await expect(client.readResource({ uri: `docwright://documents/${kept}` })).rejects.toThrow('No model');
  expect((await call('get_ocr_text', { document_id: open })).isError).toBe(false);
});

it('passages and pending calls of a document that no model may see are left out, those of others stay', async () => {
  const { user, open, kept, keep, call } = await stocked();
  const headers = { 'x-org-id': user.organizationId };
  const { body } = await user.request<Source>('POST', '/api/v2/sources', { payload: { name: 'All' }, headers });
  const collections = bench.services.pipelines.collections(user.actor);
  const { id: collection_id } = await collections.apply({ source_id: body.id, name: 'Invoices', pipeline });
  await expect.poll(async () => (await collections.get(collection_id)).status, { timeout: 20_000 }).toBe('ready');
  for (const document_id of [open, kept]) await call('create_tag', { document_id, name: `of ${document_id}` });
  expect((await keep()).status).toBe(200);

  const { value: found } = await call('search_collection', { collection_id, query: 'invoice' });
  expect(found).toMatchObject({ results: [{ document_id: open }] });
  const { value: pending } = await call('list_waiting_approvals');
  expect(pending).toMatchObject({ approvals: [{ document_id: open }] });
  expect(JSON.stringify([found, pending])).not.toContain(marked);
});

it('a write without a document is shown on one that models may see, and asked about on a kept one where all are kept', async () => {
  const { user, open, kept, keep, call } = await stocked();
  expect((await keep()).status).toBe(200);
  const { value: waiting } = await call('create_tag', { name: 'shown' });
  expect(waiting).toMatchObject({ status: 'awaiting_approval', document_id: open });
  const { turn_id } = waiting;
  expect((await call('get_call', { document_id: open, turn_id })).value).toMatchObject({ status: 'awaiting_approval' });

  expect((await user.delete(`./documents/${open}`)).status).toBe(204);
  const { call: asked } = await bench.connect(user, { answer: () => 'accept' });
  expect(await asked('create_tag', { name: 'asked' })).toMatchObject({ isError: false, turn: { document_id: kept } });
});
