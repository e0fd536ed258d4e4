import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Document, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChunkRepositories } from '../features/collections/chunks/chunk-repository.ts';
import { decideAll, userMessage } from '../testing/chat-test-bench.ts';
import { linesOf, logCommands, type LoggedCommand, type LoggedFilter } from '../testing/database-use/command-log.ts';
import { shardKeyOf } from '../testing/database-use/shard-keys.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let model: Server;
/** What the model answers next, before it answers with a word. */
let answers: object[] = [];

beforeAll(async () => {
  model = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'GET') return response.end(JSON.stringify({ object: 'list', data: [{ id: 'a-model' }] }));
      const delta = answers.shift() ?? { content: 'Hello.' };
      const finish_reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: 200, completion_tokens: 5, total_tokens: 205 };
      const chunks = [{ choices: [{ index: 0, delta, finish_reason }] }, { choices: [], usage }];
      response.setHeader('content-type', 'text/event-stream');
      return response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((listening) => void model.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  app = await startTestApp({ llmEndpoint: { baseUrl, apiKey: undefined, model: 'a-model' } });
});

afterAll(async () => {
  await app.stop();
  model.close();
});

async function upload(name: string): Promise<Document> {
  const content = Buffer.from(`Invoice ${name}\nTotal: 5`).toString('base64');
  const { body } = await app.admin.post<{ documents: Document[] }>('./documents', { documents: [{ name, content }] });
  return body.documents[0]!;
}

async function readDocument(name: string): Promise<string> {
  const { id } = await upload(name);
  await app.services.documents.textReading.readAll(new AbortController().signal);
  return id;
}

/** Commands of timers: polls, renewals of leases, and stages and stored bytes, which are stored together a second after the changes of any request. */
const isTimed = ({ collections, callers }: LoggedCommand) =>
  collections.every((name) => name === 'stored_bytes') ||
  callers.some((caller) => /\b(?:orphanedTurns|renew\w*|settleStages|tick|poll)$/u.test(caller));

const ofRequest = (commands: readonly LoggedCommand[]) => commands.filter((command) => !isTimed(command));

const tries = 3;
/** The commands of all requests. */
const requested: LoggedCommand[] = [];

/**
 * The fewest commands of a request of several: the first one fills what the process keeps, and on a busy machine what
 * belongs together can fall into two turns of the event loop, and so into two commands.
 */
async function commandsOf(request: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<LoggedCommand[]> {
  const logged: LoggedCommand[][] = [];
  for (let count = 0; count <= tries; count += 1) {
    await prepare?.();
    // What is written after an answer.
    await setTimeout(100);
    const log = logCommands(app.connection);
    await request();
    await setTimeout(100);
    log.stop();
    if (count > 0) logged.push(ofRequest(log.commands));
    requested.push(...ofRequest(log.commands));
  }
  return logged.toSorted((a, b) => a.length - b.length)[0]!;
}

/** Fails with the list of the commands. */
function expectAtMost(most: number, commands: readonly LoggedCommand[]): void {
  expect(commands.length, linesOf(commands)).toBeLessThanOrEqual(most);
}

test('a chat with one short answer', async () => {
  const id = await readDocument('hi.txt');
  const commands = await commandsOf(async () => {
    const { status } = await app.admin.post<TurnAnswer>(`./documents/${id}/chat`, userMessage('Hi'));
    expect(status).toBe(200);
  });
  expectAtMost(9, commands);
});

test('an approval of one call', async () => {
  const id = await readDocument('approval.txt');
  const ask = async (name: string) => {
    const call = { index: 0, id: name, type: 'function' };
    answers = [{ tool_calls: [{ ...call, function: { name: 'create_tag', arguments: JSON.stringify({ name }) } }] }];
    return (await app.admin.post<TurnAnswer>(`./documents/${id}/chat`, userMessage('Tag it'))).body;
  };
  let count = 0;
  let turn: TurnAnswer;
  const commands = await commandsOf(
    async () => {
      const { body } = await app.admin.post<TurnAnswer>(`./documents/${id}/chat/approve`, decideAll(turn, true));
      expect(body.status).toBe('completed');
    },
    async () => (turn = await ask(`tag ${(count += 1)}`)),
  );
  expectAtMost(19, commands);
});

test('an upload', async () => {
  let count = 0;
  expectAtMost(10, await commandsOf(() => upload(`upload-${(count += 1)}.txt`)));
});

test('the reading of an uploaded text', async () => {
  let count = 0;
  const commands = await commandsOf(
    () => app.services.documents.textReading.readAll(new AbortController().signal),
    () => upload(`reading-${(count += 1)}.txt`),
  );
  expectAtMost(16, commands);
});

test('a page of the list of documents', async () => {
  expectAtMost(5, await commandsOf(() => app.admin.get('./documents')));
});

test('what a request asks of a collection that grows names the first field of its shard key', async () => {
  const id = await readDocument('found.txt');
  for (const route of [`/${id}`, `/${id}/text`, `/${id}/extractions`, `/${id}/chat/threads`, '?name_search=found']) {
    await commandsOf(async () => expect((await app.admin.get(`./documents${route}`)).status, route).toBe(200));
  }
  await searchCollection();
  const asked = new Set(requested.flatMap(({ filters }) => filters.map(({ collection }) => collection)));
  for (const collection of ['documents', 'chunks']) expect(asked).toContain(collection);
  const scattered = requested
    .filter(({ callers }) => !isSearchForWork(callers))
    .flatMap(({ filters, callers }) =>
      filters
        .filter((one) => !isWithinShard(one))
        .map(
          ({ collection, filter }) =>
            `${collection} { ${Object.keys(filter).join(', ')} } ← ${callers.slice(0, 2).join(' ← ')}`,
        ),
    );
  expect([...new Set(scattered)]).toEqual([]);
});

/** A collection is indexed, searched by words and vectors, and removed; a document leaves it before. */
async function searchCollection(): Promise<void> {
  const { actor, organizationId } = app.admin;
  const { sources, pipelines } = app.services;
  const leaving = await readDocument('leaving.txt');
  const source = await sources(actor).create({ name: 'All' });
  const pipeline = { parsers: [{ extensions: ['*'], plugin_id: 'plain' }], chunker: { plugin_id: 'recursive' } };
  const { id } = await pipelines.collections(actor).apply({ source_id: source.id, name: 'Searchable', pipeline });
  const { signal } = new AbortController();
  await pipelines.indexing.work(signal);
  const chunks = createChunkRepositories(app.connection)(organizationId);
  await commandsOf(async () => {
    const { status, body } = await app.admin.post<{ results: object[] }>(`/api/v2/collections/${id}/search`, {
      query: 'invoice',
    });
    expect([status, body.results.length > 0]).toEqual([200, true]);
    await chunks.findByVector(id, new Float32Array(8).fill(1), 5);
    await chunks.removeVectors(id, [leaving]);
    await chunks.removeDocument(id, leaving);
  });
  await pipelines.collections(actor).delete(id);
  const log = logCommands(app.connection);
  await pipelines.chunkWork.work(signal);
  log.stop();
  requested.push(...log.commands.filter(({ collections }) => collections.includes('chunks')));
  expect(await app.connection.collection('chunks').countDocuments({})).toBe(0);
}

/** Whichever organization it is of. */
const isSearchForWork = (callers: readonly string[]) =>
  callers.some((caller) => /\b(?:usersWithFirst|claimNext|claim|waiting|pending|findRemoved)$/u.test(caller));

function isWithinShard({ collection, filter }: LoggedFilter): boolean {
  const [first] = shardKeyOf(collection) ?? [];
  const conditions = [filter, ...((filter['$and'] as object[] | undefined) ?? [])];
  return first === undefined || conditions.some((condition) => first in condition);
}
