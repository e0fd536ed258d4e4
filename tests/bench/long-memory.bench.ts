import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Extraction, Prompt, Schema, SplitProposal } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { buildPdf, line } from '../../packages/documents/src/testing/build-pdf.ts';
import { randomFrom } from '../../packages/documents/src/testing/table-pdf.ts';
import { startServer, type KillableServer } from '../faults/killable-server.ts';
import { startModelServer } from '../faults/scripted-model-server.ts';
import { registerClient } from '../faults/server-client.ts';
import { size } from './short/size.ts';

/**
 * The resident memory of the server while it reads, extracts from, answers about and splits documents of 100, 400 and 900
 * pages. Goal: nearly the same for each length. The model and the database run in their own processes. Each length has its own
 * server, so that the garbage of one does not count for the next.
 */
const lengths = size(3, 1) === 3 ? [100, 400, 900] : [11];
const linesOfPage = size(45, 1);

const text = { type: 'string' };
const properties = { number: text, amount: { type: 'number' } };
const row = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
const schema = {
  type: 'object',
  properties: { sections: { type: 'array', items: row } },
  required: ['sections'],
  additionalProperties: false,
};

/** Prose, with one value to extract on each page. */
function buildBook(pageCount: number): Uint8Array {
  const random = randomFrom(pageCount);
  const pages = Array.from({ length: pageCount }, (_, page) => {
    let content = line(`Section S-${1000 + page}`, 50, 760, 14) + line(`Amount ${page + 1}.50`, 50, 740, 11);
    for (let at = 0; at < linesOfPage; at += 1) {
      const words = Array.from({ length: 13 }, () => Math.floor(random() * 60_000_000).toString(36));
      content += line(words.join(' '), 50, 715 - at * 14, 9);
    }
    return { content };
  });
  return buildPdf({ pages });
}

const model = await startModelServer((_name, round, { said, hasTools }) => {
  if (hasTools && round === 0) return { calls: [{ name: 'search_document', args: { query: 'S-1009' } }] };
  if (hasTools) return { text: 'It stands on page 10.' };
  const found = Array.from(said.matchAll(/Section (S-\d+)\W+n?Amount (\d+\.\d+)/gu), ([, number, amount]) => ({
    number,
    amount: Number(amount),
  }));
  return { text: JSON.stringify({ sections: found }) };
});

for (const pageCount of lengths) {
  const figures = await measure(pageCount);
  const shown = Object.entries(figures).map(([phase, megabytes]) => `${phase} ${megabytes} MB`);
  console.log(`${pageCount} pages: ${shown.join(', ')}`);
}
model.stop();

async function measure(pageCount: number): Promise<Record<string, number>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-long-memory-'));
  const mongo = await startEmbeddedMongo({ dataDir });
  const server = await startServer({
    DATA_DIR: dataDir,
    MONGODB_URI: mongo.uri,
    APP_SECRET: 'a secret for this benchmark alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
    ALLOW_SIGNUP: 'true',
  });
  const figures: Record<string, number> = {};
  try {
    const client = await registerClient(server, 'one');
    const at = (route: string) => `${client.organization}/${route}`;
    const phase = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      const peak = watchMemory(server);
      const result = await work();
      figures[name] = peak();
      return result;
    };
    await phase('idle', () => sleep(size(2_000, 0)));
    const response_format = { type: 'json_schema', json_schema: { name: 'book', strict: true, schema } };
    const { schema_id } = await client.post<Schema>(server, at('schemas'), { name: 'Book', response_format });
    const { prompt_revid } = await client.post<Prompt>(server, at('prompts'), {
      name: 'Book',
      content: 'Read.',
      schema_id,
    });
    const bytes = buildBook(pageCount);
    const id = await phase('upload and read', async () => {
      const documents = [{ name: 'book.pdf', content: Buffer.from(bytes).toString('base64') }];
      const uploaded = await client.post<{ documents: [Document] }>(server, at('documents'), { documents });
      const { id: created } = uploaded.documents[0];
      for (;;) {
        const { state } = await client.get<Document>(server, at(`documents/${created}`));
        if (state === 'ocr_completed') return created;
        await sleep(50);
      }
    });
    const document = at(`documents/${id}`);
    await phase('estimate', () => client.post(server, `${document}/extractions/estimate`, { prompt_revid }));
    const { result } = await phase('extract', () =>
      client.post<Extraction>(server, `${document}/extractions`, { prompt_revid }),
    );
    assert.equal((result as { sections: unknown[] }).sections.length, pageCount);
    await phase('chat', async () => {
      const body = { messages: [{ role: 'user', content: 'Where is S-1009?' }], stream: false };
      await client.post(server, `${document}/chat`, body);
    });
    await phase('propose', () => client.get<SplitProposal>(server, `${document}/split`));
    const parts = Array.from({ length: Math.ceil(pageCount / 10) }, (_, index) => ({
      name: `part ${index}`,
      pages: [[index * 10 + 1, Math.min(pageCount, index * 10 + 10)]],
    }));
    await phase('split', () => client.post(server, `${document}/split`, { parts }));
    return figures;
  } finally {
    await server.kill();
    await mongo.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The highest resident memory of the server since the call, in megabytes. */
function watchMemory({ pid }: KillableServer): () => number {
  let peak = 0;
  const readPeak = (): void => {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/u.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    peak = Math.max(peak, Number(kilobytes));
  };
  const timer = setInterval(readPeak, 20);
  return () => {
    clearInterval(timer);
    readPeak();
    return Math.round(peak / 1024);
  };
}
