import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { eventType, type Prompt } from '@docwright/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../apps/api/src/testing/evaluation-test-bench.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';
import type * as nodes from '../../packages/n8n-nodes-docwright/src/index.ts';
import packageInfo from '../../packages/n8n-nodes-docwright/package.json' with { type: 'json' };
import { callTrigger, n8nContext, type N8nContext } from './n8n-context.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = path.resolve(import.meta.dirname, '../../packages/n8n-nodes-docwright');
const require = createRequire(import.meta.url);

/** The classes as n8n loads them: from the built files, by the names of the files. */
let built: typeof nodes;
let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
let credentials: N8nContext['credentials'];
let receiver: Server;
let received: { body: Buffer; headers: Record<string, string | string[] | undefined> }[];

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(folder, 'build.mjs'), 'dist/test']);
  const load = (file: string): unknown => {
    const name = path.basename(file).split('.')[0]!;
    const exported = require(path.join(folder, file.replace('dist/', 'dist/test/'))) as Record<string, unknown>;
    expect(Object.keys(exported)).toEqual([name]);
    return exported[name];
  };
  const [Docwright, DocwrightTrigger] = packageInfo.n8n.nodes.map(load);
  const [DocwrightApi] = packageInfo.n8n.credentials.map(load);
  built = { Docwright, DocwrightTrigger, DocwrightApi } as unknown as typeof nodes;
  bench = await startEvaluationTestBench({ settings: { LLM_ALLOWED_HOSTS: '127.0.0.1' } });
  receiver = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ body: Buffer.concat(pieces), headers: request.headers });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await bench.stop();
  fs.rmSync(path.join(folder, 'dist/test'), { recursive: true, force: true });
});
beforeEach(async () => {
  received = [];
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
  bench.answer(() => ({ number: 'A-7', total: 12.5, lines: [] }));
  const body = { name: 'n8n', lifetime_days: 1, scopes: ['read', 'propose', 'decide', 'webhooks'], role: 'admin' };
  const { token } = (await client.post<{ token: string }>('./access_tokens', body)).body;
  credentials = { url: `${bench.address}/`, token };
});

const run = async (parameters: Record<string, unknown>, more: Partial<N8nContext> = {}) => {
  const context = n8nContext({ credentials, parameters, ...more });
  const [items] = await new built.Docwright().execute.call(context);
  return items!.map(({ json }) => json);
};
const upload = async () => {
  const file = { fileName: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from('Invoice A-7\nvalue 1') };
  const [document] = await run({ operation: 'upload', binaryProperty: 'data' }, { file });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  return String(document!['document_id']);
};

it('uploads, extracts, gets the result and the link to approve', async () => {
  const documentId = await upload();
  const own = { documentId, promptId: prompt.prompt_id };
  const [extraction] = await run({ operation: 'extract', ...own });
  expect(extraction).toMatchObject({ document_id: documentId, result: { number: 'A-7', total: 12.5 } });
  expect(await run({ operation: 'getResult', documentId })).toMatchObject([{ result: { number: 'A-7' } }]);
  expect(await run({ operation: 'approveLink', documentId })).toEqual([
    {
      document_id: documentId,
      waiting: 0,
      link: `${bench.address}/documents/${documentId}?tab=agent`,
      tools: [],
    },
  ]);
  bench.scriptChat({ calls: [{ name: 'create_tag', args: { name: 'Paid' } }] });
  await client.post(`./documents/${documentId}/chat`, { messages: [{ role: 'user', content: 'Make a tag.' }] });
  expect(await run({ operation: 'approveLink', documentId })).toMatchObject([
    { waiting: 1, link: expect.stringMatching(/&thread=[0-9a-f]{24}$/), tools: ['create_tag'] },
  ]);
});

it('fails with the error of the server, or passes it on if the workflow continues', async () => {
  const missing = { operation: 'getResult', documentId: '0'.repeat(24) };
  await expect(run(missing)).rejects.toThrow('document_not_found');
  const [failed, other] = await run(missing, { continueOnFail: true, items: [{ json: {} }, { json: {} }] });
  expect([failed, other]).toEqual([{ error: expect.stringContaining('404') }, expect.anything()]);
  const nothing = { operation: 'getResult', documentId: await upload() };
  await expect(run(nothing)).rejects.toThrow('Extract it first');
});

it('starts with each event once, and with none that is not signed', async () => {
  const trigger = new built.DocwrightTrigger();
  const staticData: Record<string, unknown> = {};
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook/1`;
  const parameters = { events: ['result.released'], includeResult: true, promptId: prompt.prompt_id };
  const hook = n8nContext({ credentials, parameters, staticData, webhookUrl });
  const methods = trigger.webhookMethods.default;
  expect(await methods.checkExists.call(hook)).toBe(false);
  expect(await methods.create.call(hook)).toBe(true);
  expect(await methods.checkExists.call(hook)).toBe(true);

  const documentId = await upload();
  await run({ operation: 'extract', documentId, promptId: prompt.prompt_id });
  await client.post(`./documents/${documentId}/extractions/${prompt.prompt_revid}/release`, { version: 1 });
  const { signal } = new AbortController();
  await bench.services.releaseUpdater.work(signal);
  await bench.services.webhookDelivery.work(signal);
  await bench.services.webhookDelivery.settled();
  expect(received).toHaveLength(1);

  const [request] = received;
  const first = await callTrigger(trigger, staticData, request!);
  expect(first.answer.workflowData?.[0]).toMatchObject([
    { json: { type: 'result.released', data: { document_id: documentId, result: { number: 'A-7' } } } },
  ]);
  // The same event again starts nothing.
  expect(await callTrigger(trigger, staticData, request!)).toEqual({ answer: {}, status: undefined });
  const forged = { ...request!, body: Buffer.from(request!.body.toString().replace('A-7', 'A-8')) };
  expect(await callTrigger(trigger, staticData, forged)).toEqual({ answer: { noWebhookResponse: true }, status: 401 });
  const old = new Date(Date.now() - 10 * 60_000);
  const signature = new Webhook(String(staticData['secret'])).sign('evt_old', old, '{"id":"evt_old"}');
  const headers = {
    'webhook-id': 'evt_old',
    'webhook-timestamp': String(Math.floor(old.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  expect(await callTrigger(trigger, staticData, { body: Buffer.from('{"id":"evt_old"}'), headers })).toMatchObject({
    status: 401,
  });

  expect(await methods.delete.call(hook)).toBe(true);
  expect(staticData).toEqual({});
  expect((await client.get<{ total_count: number }>('./webhooks')).body.total_count).toBe(0);
});

it('offers every event, and names files that the package has', () => {
  const { description } = new built.DocwrightTrigger();
  const offered = description.properties.find(({ name }) => name === 'events')?.options?.map(({ value }) => value);
  expect(offered?.toSorted()).toEqual([...eventType.options].toSorted());
  const credential = new built.DocwrightApi();
  expect(new built.Docwright().description.credentials).toEqual([{ name: credential.name, required: true }]);
  expect(packageInfo).not.toHaveProperty('dependencies');
});
