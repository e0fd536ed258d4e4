import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CreatedWebhook, Document, OrganizationEvent, Prompt, Tag } from '@docwright/contract';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { watchWrites } from '../../platform/database/watch-writes.ts';
import { features } from '../../process/features.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let app: TestApp;
let server: Server;
let stopWatching: () => void;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  app = await startTestApp({
    llm: scriptedAlways('{"total": 5}'),
    settings: {
      LLM_ALLOWED_HOSTS: '127.0.0.1',
      LLM_BASE_URL: 'http://127.0.0.1:9/v1',
      LLM_MODEL: 'no-model',
    },
  });
  // Nothing is found by looking for it: each step is woken by the write of the one before.
  const jobs = features.jobs(app.services).map((job) => ({ ...job, everyMs: 3_600_000 }));
  stopWatching = watchWrites(app.connection, app.services.jobs.wakeOnWrites(jobs));
  await app.services.jobs.start(jobs);
  features.start(app.services);
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  stopWatching();
  await app.stop();
});

function scriptedAlways(text: string) {
  return {
    stream: (request: Parameters<ReturnType<typeof scriptedLlm>['stream']>[0]) =>
      scriptedLlm([{ text }]).stream(request),
  };
}

it('one upload leads to a verified result at the receiver, without a poll of anybody', async () => {
  const client = await app.addOrganization();
  const tag = (await client.post<Tag>('./tags', { name: 'invoice', on_arrival: { run_prompts: true } })).body;
  const prompt = (await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.', tag_ids: [tag.tag_id] })).body;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { secret } = (await client.post<CreatedWebhook>('./webhooks', { url, include_result: true })).body;

  const content = Buffer.from('Invoice. Total 5').toString('base64');
  const documents = [{ name: 'a.txt', content, tag_ids: [tag.tag_id] }];
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  const document_id = body.documents[0]!.id;

  const events = () =>
    received.map(({ headers, body: text }) => {
      const event = new Webhook(secret).verify(text, headers as Record<string, string>) as OrganizationEvent;
      expect(headers['webhook-id']).toBe(event.id);
      return event;
    });
  const done = () => events().find(({ type }) => type === 'extraction.completed');
  await expect.poll(done, { timeout: 50_000 }).toMatchObject({
    organization_id: client.organizationId,
    data: { document_id, prompt_id: prompt.prompt_id, version: 1, is_complete: true, result: { total: 5 } },
  });
  const ofDocument = events().filter(({ data }) => data['document_id'] === document_id);
  expect(new Set(ofDocument.map(({ type }) => type))).toEqual(
    new Set(['document.created', 'document.ready', 'extraction.completed']),
  );
  expect(new Set(ofDocument.map(({ id }) => id)).size).toBe(3);
});
