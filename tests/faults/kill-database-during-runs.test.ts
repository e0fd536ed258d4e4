import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { AuditEntry, Document, DocumentBulk, Extraction, Prompt, Run, Tag } from '@docwright/contract';
import { startEmbeddedMongo, type EmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../apps/api/src/platform/database/connection.ts';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { openKillingGate, type KillingGate, type KillMoment } from './killing-gate.ts';

/**
 * By default the database is killed right after the write of a result, and before the next write. `KILLS=all` kills it
 * before and after each write that follows the request, of each kind of work; `WORK='a bulk job'` selects one.
 */
const killsAtAll = process.env['KILLS'] === 'all';
const selected = process.env['WORK'];

let mongo: EmbeddedMongo;
let gate: KillingGate;
let connection: MongoClient;
let database: Db;
let app: TestApp;
const stop: (() => unknown)[] = [];

beforeAll(async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-db-'));
  stop.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  mongo = await startEmbeddedMongo({ dataDir });
  stop.push(() => {
    isStopping = true;
    return mongo.stop();
  });
  const socketPath = () => decodeURIComponent(/^mongodb:\/\/([^/]+)\//u.exec(mongo.uri)![1]!);
  const isCounted = (name: string) => !uncounted.has(name);
  gate = await openKillingGate(socketPath, () => process.kill(mongo.pid, 'SIGKILL'), isCounted);
  stop.push(() => gate.stop());
  app = await startTestApp({
    llm,
    connection: await connectDatabase(gate.uri),
    settings: { LLM_ALLOWED_HOSTS: '127.0.0.1' },
  });
  stop.push(() => app.stop());
  connection = await MongoClient.connect(gate.uri);
  database = connection.db('docwright');
  stop.push(() => connection.close());
  await startJobs(app.services);
  await createWhatWorksNeed();
  // Keeps the database alive when the supervisor of the embedded database has given up.
  void (async () => {
    for (;;) {
      await mongo.exited;
      if (isStopping) return;
      mongo = await startEmbeddedMongo({ dataDir });
    }
  })();
});
let isStopping = false;
afterAll(async () => {
  for (const each of stop.splice(0).toReversed()) await each();
});

/** Written at any time, by requests and the job queue, or derived from the results. */
const uncounted = new Set([
  'agendaJobs',
  'sessions',
  'turn_rates',
  'usage_months',
  'usage_details',
  'review_queue',
  'review_queue_stamps',
  'result_index',
  'result_index_stamps',
]);

const llm: LlmClient = {
  async *stream(request) {
    yield* scriptedLlm([answerTo(request)]).stream(request);
  },
};

function answerTo({ messages, tools }: Parameters<LlmClient['stream']>[0]): ScriptedStep {
  if ((tools ?? []).length === 0) return { text: '{"total": 5}' };
  if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
  return {
    calls: [
      { name: 'create_tag', args: { name: `made ${(made += 1)}` } },
      { name: 'update_document', args: { set_metadata: { paid: 'yes' } } },
    ],
  };
}
let made = 0;

interface Work {
  name: string;
  /** The write that does the work, as “command collection”. */
  write: string;
  start(documentId: string): Promise<void>;
  hasEnded(documentId: string): Promise<boolean>;
  /** What was done, without ids and times: the same with and without a kill. */
  outcome(documentId: string): Promise<object>;
}

const client = () => app.admin;
const get = async <Body>(route: string) => (await client().get<Body>(route)).body;
const documentOf = (id: string) => get<Document>(`./documents/${id}`);
const newestRun = async () => (await get<{ runs: Run[] }>('./runs?limit=1')).runs[0];
let earlierRun: string | undefined;
const runHasEnded = async () => {
  const run = await newestRun();
  return run !== undefined && run.id !== earlierRun && run.ended_at !== null;
};

async function send(method: 'post' | 'patch', route: string, body: object): Promise<void> {
  const answer = await client()[method](route, body);
  expect(answer.status, answer.text).toBeLessThan(300);
}

async function outcomeOfRun(documentId: string) {
  const { state, succeeded, failed, failures, total } = (await newestRun())!;
  const document = await documentOf(documentId);
  const { extractions } = await get<{ extractions: Extraction[] }>(`./documents/${documentId}/extractions`);
  const { entries } = await get<{ entries: AuditEntry[] }>(`./audit?document_id=${documentId}&limit=100`);
  // An attempt that was undone and repeated has entries of its own.
  const done = new Set(entries.flatMap(({ kind, success, tool }) => (kind === 'executed' && success ? [tool] : [])));
  return {
    run: { state, succeeded, failed, failures, total },
    document: { state: document.state, error: document.state_error ?? null, metadata: document.metadata },
    results: extractions.map(({ version, result }) => ({ version, result })),
    audit: [...done].toSorted(),
  };
}

let prompt: Prompt;
let arrivalTag: Tag;
let bulkTag: Tag;
const newestBulk = async () => (await get<{ bulk_jobs: DocumentBulk[] }>('./documents/bulk?limit=1')).bulk_jobs[0]!;
/** The types of the events that arrived about each document. */
const delivered = new Map<string, Set<string>>();
const deliveredOf = (id: string) => [...(delivered.get(id) ?? [])].toSorted();

const works: Work[] = [
  {
    name: 'an extraction',
    write: 'insert extractions',
    start: (id) =>
      send('post', './documents/bulk', { action: 'extract', document_ids: [id], prompt_id: prompt.prompt_id }),
    hasEnded: runHasEnded,
    outcome: outcomeOfRun,
  },
  {
    name: 'an unattended agent',
    write: 'insert tags',
    start: (id) =>
      send('post', './runs', {
        document_ids: [id],
        message: 'Do it.',
        auto_approved_tools: ['create_tag', 'update_document'],
      }),
    hasEnded: runHasEnded,
    async outcome(id) {
      const { tags } = await get<{ tags: Tag[] }>('./tags?limit=100');
      const made = tags.filter(({ name }) => name.startsWith('made '));
      for (const { tag_id } of made) await client().delete(`./tags/${tag_id}`);
      return { ...(await outcomeOfRun(id)), tags: made.length };
    },
  },
  {
    name: 'a bulk job',
    write: 'update documents',
    start: (id) => send('post', './documents/bulk', { action: 'tag', document_ids: [id], tag_ids: [bulkTag.tag_id] }),
    hasEnded: async () => (await newestBulk()).ended_at !== null,
    async outcome(id) {
      const { id: bulkId, state, succeeded, unchanged, failed } = await newestBulk();
      const { tag_ids } = await documentOf(id);
      await client().post(`./documents/bulk/${bulkId}/undo`);
      await expect.poll(async () => (await documentOf(id)).tag_ids).toEqual([]);
      return { state, succeeded, unchanged, failed, tag_ids };
    },
  },
  {
    name: 'an arrival',
    write: 'insert extractions',
    start: (id) => send('patch', `./documents/${id}`, { add_tag_ids: [arrivalTag.tag_id] }),
    hasEnded: runHasEnded,
    outcome: outcomeOfRun,
  },
  {
    name: 'a delivery',
    write: 'insert event_log',
    start: (id) => send('post', `./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid }),
    hasEnded: async (id) => delivered.get(id)?.has('extraction.completed') === true,
    outcome: async (id) => ({ delivered: deliveredOf(id) }),
  },
];

async function createWhatWorksNeed(): Promise<void> {
  prompt = (await client().post<Prompt>('./prompts', { name: 'Total', content: 'Total?' })).body;
  bulkTag = (await client().post<Tag>('./tags', { name: 'bulk' })).body;
  arrivalTag = (await client().post<Tag>('./tags', { name: 'arrived', on_arrival: { run_prompts: true } })).body;
  await client().post('./prompts', { name: 'Arrival', content: 'Total?', tag_ids: [arrivalTag.tag_id] });
  const receiver = createServer((request, response) => {
    void (async () => {
      const { type, data } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
        type: string;
        data: { document_id?: string };
      };
      const of = data.document_id ?? '';
      delivered.set(of, (delivered.get(of) ?? new Set()).add(type));
      response.writeHead(204).end();
    })();
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  stop.push(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await send('post', './webhooks', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });
}

async function upload(): Promise<string> {
  const content = Buffer.from(`Total: 5 ${(made += 1)}`).toString('base64');
  const { body } = await client().post<{ documents: Document[] }>('./documents', {
    documents: [{ name: `${made}.txt`, content }],
  });
  const { id } = body.documents[0]!;
  await expect.poll(async () => (await documentOf(id)).state).toBe('ocr_completed');
  return id;
}

type Done = Readonly<{ outcome: object; writes: readonly string[]; begun: number }>;

/** Does the work with a kill at the n-th write, without a number with none. `begun`: the writes of the request itself. */
async function doWork(work: Work, at?: number, moment?: KillMoment): Promise<Done> {
  const id = await upload();
  earlierRun = (await newestRun())?.id;
  gate.watch(at, moment);
  // The answer to a request can get lost, too.
  await work.start(id).catch((error: unknown) => {
    if (!gate.hasKilled) throw error;
  });
  const begun = gate.writes.length;
  let expireAt: number | undefined;
  for (;;) {
    await sleep(100);
    if (gate.hasKilled) expireAt ??= Date.now() + 700;
    if (expireAt !== undefined && Date.now() > expireAt && (await expireLeases().catch(() => false)))
      expireAt = Infinity;
    if (!(await work.hasEnded(id).catch(() => false))) continue;
    const writes = [...gate.writes];
    gate.watch();
    return { outcome: await work.outcome(id), writes, begun };
  }
}

/** Ends the leases that a killed database left, which would expire by themselves; not those of the next attempts. */
async function expireLeases(): Promise<boolean> {
  for (const name of ['document_runs', 'runs', 'document_bulk_jobs', 'webhooks'])
    await database
      .collection(name)
      .updateMany({ 'lease.token': { $exists: true } }, { $set: { 'lease.until': new Date(0) } });
  return true;
}

function killsOf(work: Work, { writes, begun }: Done): [KillMoment, number][] {
  if (killsAtAll)
    return (['before', 'after'] as const).flatMap((moment) => writes.slice(begun).map((_, at) => [moment, begun + at]));
  const at = writes.indexOf(work.write);
  return work.name === 'an extraction'
    ? [
        ['after', at],
        ['before', at + 1],
      ]
    : [['after', at]];
}

const tested = works.filter(({ name }) =>
  selected === undefined ? killsAtAll || !['an arrival', 'a delivery'].includes(name) : name === selected,
);

it.each(tested)(
  '$name is done once, and its outcome says so, when the database is killed',
  { timeout: 1_800_000 },
  async (work) => {
    const unkilled = await doWork(work);
    const { outcome: expected, writes } = unkilled;
    expect(writes).toContain(work.write);
    for (const [moment, at] of killsOf(work, unkilled)) {
      const { outcome } = await doWork(work, at, moment);
      expect(outcome, `killed ${moment} write ${at}, ${writes[at]}`).toEqual(expected);
      if (killsAtAll) console.log(`${work.name}: as expected, killed ${moment} write ${at}, ${writes[at]}`);
    }
  },
);
