import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Evaluation, Extraction, Prompt, Schema } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, type Db } from 'mongodb';
import { expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { startModelServer, type ScriptContext } from './scripted-model-server.ts';
import { registerClient } from './server-client.ts';

/** By default a few kills; `KILLS=100` is the large form. */
const kills = Number(process.env['KILLS'] ?? 2);
const documentCount = 10;
/** Collections that evaluations may change: their records, usage, what is stored, jobs, running processes with their probe and permits. */
const ownCollections =
  /^(evaluations|evaluation_documents|usage\w*|stored_bytes|jobs|processes|probes|unattended_model_calls|purged_document_looks|agenda\w*|system\..*)$/u;

const schema = {
  type: 'object',
  properties: { number: { type: ['string', 'null'] }, total: { type: ['string', 'null'] } },
  required: ['number', 'total'],
  additionalProperties: false,
};

const numberIn = (said: string): string => /Receipt (\d+)/u.exec(said)?.[1] ?? '';

function script(name: string, _: number, { said }: ScriptContext) {
  return { text: JSON.stringify({ number: numberIn(said), total: name === 'case-now' ? '5' : 'wrong' }) };
}

it(
  `an evaluation whose worker is killed ${kills} times pays for no document twice that was stored, and writes nothing else`,
  async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-evaluation-'));
    const stored = new Set<string>();
    const paid: string[] = [];
    const paidTwice: string[] = [];
    const model = await startModelServer((name, round, context) => {
      const answer = `${name} ${numberIn(context.said)}`;
      paid.push(answer);
      if (stored.has(answer)) paidTwice.push(answer);
      return script(name, round, context);
    });
    // Long enough that a kill hits some documents in progress and some stored ones.
    model.onAnswer = (_, __, moment) => (moment === 'begun' ? sleep(20 + Math.random() * 80) : undefined);
    const mongo = await startEmbeddedMongo({ dataDir });
    const connection = await MongoClient.connect(mongo.uri);
    const database = connection.db('docwright');
    const settings = {
      DATA_DIR: dataDir,
      MONGODB_URI: mongo.uri,
      APP_SECRET: 'a secret for this test alone',
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'scripted',
      ALLOW_SIGNUP: 'true',
    };
    const start = (role: 'api' | 'worker') => startServer({ ...settings, ROLE: role });
    const server = await start('api');
    let worker = await start('worker');
    try {
      const client = await registerClient(server, 'one');
      const at = (route: string) => `${client.organization}/${route}`;
      const response_format = { type: 'json_schema', json_schema: { name: 'receipt', strict: true, schema } };
      const { schema_id } = await client.post<Schema>(server, at('schemas'), { name: 'Receipt', response_format });
      const content = 'Read case-now.';
      const prompt = await client.post<Prompt>(server, at('prompts'), { name: 'Receipt', content, schema_id });
      const files = Array.from({ length: documentCount }, (_, number) => ({
        name: `${number}.txt`,
        content: Buffer.from(`Receipt ${number} Total 5`).toString('base64'),
      }));
      const uploaded = await client.post<{ documents: Document[] }>(server, at('documents'), { documents: files });
      const unread = { state: { $in: ['uploaded', 'ocr_processing'] } };
      while ((await database.collection('documents').countDocuments(unread)) > 0) await sleep(50);
      const numberOf = new Map<string, string>();
      for (const { id, document_name } of uploaded.documents) {
        numberOf.set(id, document_name.replace('.txt', ''));
        const { prompt_revid } = prompt;
        await client.post<Extraction>(server, at(`documents/${id}/extractions`), { prompt_revid });
        const verification = at(`documents/${id}/extractions/${prompt_revid}/verification`);
        await client.put(server, verification, { is_verified: true });
      }
      // The review queue and the risk model follow a verified result a little later.
      const isSettled = async () =>
        (await database.collection('extractions').countDocuments({ review_pending: { $exists: true } })) === 0 &&
        (await database.collection('risk_models').countDocuments({ wanted_at: { $ne: null } })) === 0;
      while (!(await isSettled())) await sleep(50);
      const before = await everythingElse(database);

      let killed = 0;
      let evaluations = 0;
      while (killed < kills) {
        stored.clear();
        paid.length = 0;
        const body = { prompt_id: prompt.prompt_id, content: 'Read case-changed.', baseline: 'run' };
        const { id } = await client.post<Evaluation>(server, at('evaluations'), body);
        const read = () => client.get<Evaluation>(server, at(`evaluations/${id}`));
        evaluations += 1;
        while ((await read()).ended_at === null && killed < kills) {
          // In the middle: after this many more calls of the model.
          const from = paid.length;
          const after = Math.floor(Math.random() * 8) + 1;
          while (paid.length < from + after && (await read()).ended_at === null) await sleep(10);
          await sleep(Math.random() * 60);
          if ((await read()).ended_at !== null) break;
          await worker.kill();
          killed += 1;
          // The stored answers were paid for and must never be requested again.
          for (const record of await database.collection('evaluation_documents').find().toArray()) {
            if (String(record['evaluation_id']) !== id) continue;
            const number = numberOf.get(String(record['document_id']));
            const isOver = record['state'] === 'done';
            if (isOver || record['before'] !== null) stored.add(`case-now ${number}`);
            if (isOver || typeof record['after'] === 'string') stored.add(`case-changed ${number}`);
          }
          // Simulates the end of its lease.
          const ended = { $set: { 'lease.until': new Date(0) } };
          await database.collection('evaluations').updateMany({ active: true }, ended);
          worker = await start('worker');
          if (kills > 10 && killed % 10 === 0) process.stdout.write(`${killed} killed, ${evaluations} evaluations\n`);
        }
        while ((await read()).ended_at === null) await sleep(50);
        expect(await read()).toMatchObject({
          state: 'completed',
          documents: { total: documentCount, done: documentCount, failed: 0 },
          totals: { values: documentCount * 2, broken: documentCount, fixed: 0, accuracy_before: 1 },
        });
        expect(new Set(paid).size).toBe(documentCount * 2);
        expect(paidTwice).toEqual([]);
      }
      expect(await everythingElse(database)).toEqual(before);
    } finally {
      await worker.kill();
      await server.end();
      await connection.close();
      await mongo.stop();
      model.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  },
  120_000 + kills * 30_000,
);

/** All records that evaluations must not change. */
async function everythingElse(database: Db): Promise<Record<string, unknown[]>> {
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const all: Record<string, unknown[]> = {};
  for (const name of names.toSorted((one, other) => one.localeCompare(other))) {
    if (!ownCollections.test(name)) all[name] = await database.collection(name).find().sort({ _id: 1 }).toArray();
  }
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['documents', 'extractions', 'prompts']));
  return all;
}
