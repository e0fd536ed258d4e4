import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { png } from '@docwright/documents/testing/picture';
import type { Document, Extraction, LlmProvider, Prompt } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

/** The requests of an endpoint that accepts images for one model only. */
const asked: { model: string; images: number; text: string }[] = [];
let answer: object = { total: '5.00' };
let server: Server;
let harness: TestApp;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(404).end();
        return;
      }
      const sent = JSON.parse(body) as { model: string; messages: { content: unknown }[] };
      const images = body.match(/data:image\/[a-z]+;base64,/g)?.length ?? 0;
      asked.push({ model: sent.model, images, text: JSON.stringify(sent.messages[0]?.content) });
      if (images > 0 && sent.model !== 'seeing') {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'This model takes no image_url.' } }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choice = { index: 0, delta: { content: JSON.stringify(answer) }, finish_reason: 'stop' };
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  harness = await startTestApp({
    llmEndpoint: { baseUrl, apiKey: undefined, model: 'blind' },
    settings: { LLM_BASE_URL: baseUrl, LLM_MODEL: 'blind', LLM_VISION: 'auto', LLM_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const put = await harness.admin.put<LlmProvider>('./llm/providers/own', {
    base_url: baseUrl,
    litellm_models_enabled: ['seeing', 'undeclared'],
    litellm_models_vision: ['seeing'],
  });
  expect(put.body.litellm_models_vision).toEqual(['seeing']);
});
afterAll(async () => {
  await harness.stop();
  server.close();
});

/** Uploads a blank scan, whose text is empty. */
async function uploadScan(): Promise<string> {
  const scan = png({ pixels: new Uint8Array(300 * 200).fill(250), width: 300, height: 200 });
  const content = Buffer.from(scan).toString('base64');
  const { body } = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'scan.png', content }],
  });
  const signal = new AbortController().signal;
  await harness.services.documents.textReading.readAll(signal);
  await harness.services.documents.recognition.recognizeAll(signal);
  return body.documents[0].id;
}

async function extract(documentId: string, model?: string) {
  asked.length = 0;
  const prompt = { name: 'p', content: 'Read.', ...(model && { model }) };
  const { prompt_revid } = (await harness.admin.post<Prompt>('./prompts', prompt)).body;
  return await harness.admin.post<Extraction>(`./documents/${documentId}/extractions`, { prompt_revid });
}

it('says of no value that it was seen if the endpoint refused the images of a model that is declared to see', async () => {
  await harness.admin.put('./llm/providers/own', { litellm_models_vision: ['seeing', 'undeclared'] });
  const { body } = await extract(await uploadScan(), 'own/undeclared');
  expect(asked.map(({ images }) => images)).toEqual([1, 0]);
  expect(body.grounding['total']).not.toHaveProperty('seen_only');
  await harness.admin.put('./llm/providers/own', { litellm_models_vision: ['seeing'], dialect: [] });
});

it('shows pages without text only to models that are declared to have vision', async () => {
  const id = await uploadScan();

  const seen = await extract(id, 'own/seeing');
  expect(seen.status).toBe(201);
  expect(asked).toMatchObject([{ model: 'seeing', images: 1, text: expect.stringContaining('Images of page 1') }]);
  expect(seen.body.grounding['total']).toMatchObject({ match: 'none', seen_only: true });

  const undeclared = await extract(id, 'own/undeclared');
  expect(undeclared).toMatchObject({ status: 409, body: { error: { code: 'document_has_no_text' } } });
  expect(asked).toEqual([]);

  const { models } = (await harness.admin.get<{ models: { id: string; vision?: true }[] }>('./llm/models')).body;
  expect(models.filter(({ vision }) => vision).map(({ id: modelId }) => modelId)).toEqual(['blind', 'own/seeing']);

  // LLM_VISION=auto: the endpoint is tried once, and the outcome is remembered.
  answer = { total: '6.00' };
  const tried = await extract(id);
  expect(asked.map(({ images }) => images)).toEqual([1, 0]);
  expect(tried.body.grounding['total']).not.toHaveProperty('seen_only');
  expect(await extract(id)).toMatchObject({ status: 409 });
  expect(asked).toEqual([]);
});
