import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Extraction, ExtractionEvent, Prompt, Schema } from '@docwright/contract';
import { buildTablePdf } from '@docwright/documents/testing/table-pdf';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { startModelServer } from './scripted-model-server.ts';
import { registerClient } from './server-client.ts';

/** By default a few kills; `KILLS=16` is the large form. */
const kills = Number(process.env['KILLS'] ?? 2);
/** An extraction is abandoned after it has outlived three processes. */
const killsOfOne = 2;

const text = { type: 'string' };
const amount = { type: 'number' };
const properties = { date: text, description: text, reference: text, amount, balance: amount };
const row = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
const schema = {
  type: 'object',
  properties: { account: { type: ['string', 'null'] }, entries: { type: 'array', items: row } },
  required: ['account', 'entries'],
  additionalProperties: false,
};

it(
  `an extraction whose server is killed ${kills} times goes on by itself, and pays for no finished piece again`,
  async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-extraction-'));
    const pdf = buildTablePdf({ rows: 2_000, layout: 'header', seed: 5 });
    const stored = new Set<number>();
    const paidTwice: number[] = [];
    const asked: number[] = [];
    const model = await startModelServer((_name, _round, { said }) => {
      const entries = pdf.rows.filter(({ reference }) => said.includes(reference));
      const from = Number(/<page number=\W*(\d+)/u.exec(said)?.[1]);
      asked.push(from);
      if (stored.has(from)) paidTwice.push(from);
      return { text: JSON.stringify({ account: from === 1 ? pdf.account : null, entries }) };
    });
    // Long enough that a kill hits stored, running and pending pieces.
    model.onAnswer = (_, __, moment) => (moment === 'begun' ? sleep(100 + Math.random() * 400) : undefined);
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
    let server = await startServer(settings);
    try {
      const client = await registerClient(server, 'one');
      const at = (route: string) => `${client.organization}/${route}`;
      const response_format = { type: 'json_schema', json_schema: { name: 'statement', strict: true, schema } };
      const { schema_id } = await client.post<Schema>(server, at('schemas'), { name: 'Statement', response_format });
      const content = Buffer.from(pdf.bytes).toString('base64');
      const documents = [{ name: 'statement.pdf', content }];
      const uploaded = await client.post<{ documents: [Document] }>(server, at('documents'), { documents });
      const [{ id }] = uploaded.documents;
      const unread = { state: { $in: ['uploaded', 'ocr_processing'] } };
      while ((await database.collection('documents').countDocuments(unread)) > 0) await sleep(50);

      let killed = 0;
      while (killed < kills) {
        const prompt = { name: `Statement ${killed}`, content: 'Read.', schema_id };
        const { prompt_revid } = await client.post<Prompt>(server, at('prompts'), prompt);
        stored.clear();
        // The answer is lost with the server.
        void client.ask(server, at(`documents/${id}/extractions`), { prompt_revid }).catch(() => undefined);
        const run = { prompt_revid: { $exists: true }, state: 'running' };
        while ((await database.collection('extraction_progress').countDocuments(run)) === 0) await sleep(10);
        for (let times = 0; times < killsOfOne && killed < kills; times += 1) {
          const before = asked.length;
          const after = Math.floor(Math.random() * 3) + 1;
          while (asked.length < before + after) await sleep(10);
          await sleep(Math.random() * 300);
          await server.kill();
          killed += 1;
          for (const piece of await database.collection('extraction_pieces').find().toArray())
            stored.add(piece['from']);
          server = await startServer(settings);
        }
        const route = at(`documents/${id}/extractions/${prompt_revid}`);
        const events = await (await client.ask(server, `${route}/events`)).text();
        const told = Array.from(events.matchAll(/^data: (.+)$/gm), ([, data]) => JSON.parse(data!) as ExtractionEvent);
        expect(told.at(-1)).toMatchObject({ type: 'end', state: 'completed', is_complete: true, issues: [] });
        const { result, version } = await client.get<Extraction>(server, route);
        expect({ version, result }).toEqual({ version: 1, result: { account: pdf.account, entries: pdf.rows } });
        expect(await client.get<Document>(server, at(`documents/${id}`))).toMatchObject({ state: 'llm_completed' });
        expect(paidTwice).toEqual([]);
        if (kills > 10) process.stdout.write(`${killed} killed, ${stored.size} pieces were stored\n`);
      }
    } finally {
      await server.kill();
      await connection.close();
      await mongo.stop();
      model.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  },
  120_000 + kills * 30_000,
);
