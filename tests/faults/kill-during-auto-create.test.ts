import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer, type ScriptContext } from './scripted-model-server.ts';

const documents = 12;
const kills = 4;

const schema = {
  type: 'object',
  properties: { total: { type: ['string', 'null'] } },
  required: ['total'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

/** Enough words to recognize a kind. */
const invoiceText = [
  'Invoice from Contoso Paper Supply, Mill Lane, Portland',
  'Invoice number: INV-1042. Invoice date: March 9. Due date: April 8.',
  'Bill to: Harbor Street Dental, Astoria. Purchase order: HSD-118.',
  'Description, quantity, unit price, amount: copy paper, appointment cards, patient folders, delivery.',
  'Subtotal: 5. Sales tax: 0. Total: 5. Please pay within thirty days.',
].join('\n');

/** From a document to a proposal. */
function script(_: string, round: number, { hasTools, shown, last }: ScriptContext) {
  if (!hasTools) return { text: '{"total": "5"}' };
  if (shown !== undefined) {
    return round === 0
      ? { calls: [{ name: 'run_extraction', args: { prompt_revid: shown } }] }
      : { text: 'I used the prompt that is there.' };
  }
  if (round === 0) return { calls: [{ name: 'create_schema', args: { name: 'Invoice', response_format } }] };
  if (round === 1) {
    const args = { name: 'Invoice', content: 'Take the total.', schema_id: last['schema_id'] };
    return { calls: [{ name: 'create_prompt', args }] };
  }
  if (round === 2) return { calls: [{ name: 'run_extraction', args: { prompt_revid: last['prompt_revid'] } }] };
  return { text: 'I made the schema Invoice.' };
}

it(`proposes once for each of ${documents} documents, and makes one schema for all of them, while workers are killed ${kills} times`, async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-worker-'));
  const model = await startModelServer(script);
  const database = await startEmbeddedMongo({ dataDir });
  const settings = {
    DATA_DIR: dataDir,
    MONGODB_URI: database.uri,
    APP_SECRET: 'a secret for this test alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
  };
  const server = await startServer({ ...settings, ROLE: 'api' });
  let worker = await startServer({ ...settings, ROLE: 'worker' });
  try {
    const client = await register(server);
    // Of the same bytes, only one would be read.
    const files = Array.from({ length: documents }, (_, at) => ({
      name: `${at}.txt`,
      content: Buffer.from(invoiceText + '\n'.repeat(at)).toString('base64'),
      auto_create: true,
    }));
    await client.post('documents', { documents: files });

    for (let killed = 0; killed < kills; killed += 1) {
      const inTheMiddle = nextAnswer(model, killed);
      await Promise.race([inTheMiddle, sleep(30_000)]);
      await worker.kill();
      worker = await startServer({ ...settings, ROLE: 'worker' });
    }
    const statuses = async () => {
      const list = await client.get<{ documents: Document[] }>('documents?limit=100');
      return list.documents.map((document) => document.auto_create?.status ?? document.state);
    };
    const isOver = (status: string) => ['proposed', 'failed'].includes(status);
    await expect
      .poll(async () => (await statuses()).filter(isOver).length, { timeout: 180_000, interval: 1_000 })
      .toBe(documents);

    // A run is abandoned after three kills. In each case nothing exists twice or is left over.
    const proposed = (await statuses()).filter((status) => status === 'proposed').length;
    expect(proposed).toBeGreaterThan(documents / 2);
    const mongo = await MongoClient.connect(database.uri);
    const count = (collection: string) =>
      mongo.db('docwright').collection(collection).countDocuments({ deleted_at: null });
    expect(await Promise.all(['schemas', 'prompts', 'extractions'].map(count))).toEqual([1, 1, proposed]);
    await mongo.close();
  } finally {
    await worker.kill();
    await server.end();
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}, 480_000);

/** Resolves when the model starts its answer in that round, so that kills hit every step. */
function nextAnswer(model: Awaited<ReturnType<typeof startModelServer>>, killed: number): Promise<void> {
  return new Promise((resolve) => {
    model.onAnswer = (_, round) => {
      if (round !== killed % 4) return;
      model.onAnswer = () => undefined;
      resolve();
    };
  });
}

async function register(server: KillableServer) {
  const answer = await fetch(`${server.url}/v0/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@example.com', name: 'A', password: 'correct horse battery' }),
  });
  const { access_token, organization }: { access_token: string; organization: { id: string } } = JSON.parse(
    await answer.text(),
  );
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const url = (place: string) => `${server.url}/v0/orgs/${organization.id}/${place}`;
  const read = async <Body>(response: Response): Promise<Body> => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    const body: Body = JSON.parse(text);
    return body;
  };
  return {
    get: async <Body>(place: string) => await read<Body>(await fetch(url(place), { headers })),
    post: async (place: string, body: object) =>
      await read(await fetch(url(place), { method: 'POST', headers, body: JSON.stringify(body) })),
  };
}
