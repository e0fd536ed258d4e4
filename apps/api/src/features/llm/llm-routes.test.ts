import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemoModel, type DemoModel } from '@docwright/demo-model';
import type { Document, Extraction, LlmModel, Prompt, Schema } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

async function extract({ admin, services }: TestApp) {
  const schema = {
    type: 'object',
    properties: { invoice_number: { type: ['string', 'null'] } },
    required: ['invoice_number'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'invoice', schema } };
  const { schema_id } = (await admin.post<Schema>('./schemas', { name: 's', response_format })).body;
  const { prompt_revid } = (await admin.post<Prompt>('./prompts', { name: 'p', content: 'Extract.', schema_id })).body;
  const content = Buffer.from('Invoice number: INV-7\nTotal: 5.00').toString('base64');
  const body = { documents: [{ name: 'invoice.txt', content }] };
  const [document] = (await admin.post<{ documents: [Document] }>('./documents', body)).body.documents;
  await services.documents.textReading.readAll(new AbortController().signal);
  return await admin.post<Extraction>(`./documents/${document.id}/extractions`, { prompt_revid });
}

describe('with the demo model', () => {
  let demo: DemoModel;
  let harness: TestApp;
  beforeAll(async () => {
    demo = await startDemoModel({ chunkDelayMs: 0 });
    harness = await startTestApp({ llmEndpoint: { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model } });
  });
  afterAll(async () => {
    await harness.stop();
    await demo.close();
  });

  it('lists the demo model as the default, only to members of the organization', async () => {
    const { body } = await harness.admin.get<{ models: LlmModel[] }>('./llm/models?chat_only=true');
    expect(body.models).toEqual([{ id: demo.model, provider: 'default', chat_agent: true, default: true }]);
    const stranger = await harness.addOrganization();
    expect((await stranger.get(`/v0/orgs/${harness.admin.organizationId}/llm/models`)).status).toBe(404);
  });

  it('extracts through the same code as with a real model', async () => {
    const { status, body } = await extract(harness);
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: { invoice_number: 'INV-7' }, model: demo.model, validation_errors: [] });
    expect(body.grounding['invoice_number']).toMatchObject({ page_num: 1, match: 'exact' });
  });
});

describe('with an endpoint that is not a model server', () => {
  let server: Server;
  let harness: TestApp;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('<html><body>Welcome to nginx</body></html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    harness = await startTestApp({ llmEndpoint: { baseUrl, apiKey: 'secret-key', model: 'm' } });
  });
  afterAll(async () => {
    await harness.stop();
    server.close();
  });

  it('answers 502 with the cure and without the key, and still lists the configured models', async () => {
    const { status, error, text } = await extract(harness);
    expect(status).toBe(502);
    expect(error?.message).toContain('LLM_BASE_URL');
    expect(text).not.toContain('secret-key');
    const { body } = await harness.admin.get<{ models: LlmModel[] }>('./llm/models');
    expect(body.models.map((model) => model.id)).toEqual(['m']);
  });
});
