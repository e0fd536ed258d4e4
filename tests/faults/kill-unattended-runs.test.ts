import { isDeepStrictEqual } from 'node:util';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ApprovalList,
  AuditEntry,
  DecideApprovalsAnswer,
  Document,
  DocumentState,
  Run,
  Tag,
} from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer, type ModelServer } from './scripted-model-server.ts';
import { registerClient, type ServerClient } from './server-client.ts';

/** By default a few kills; `KILLS=100 RUNS=20 RUN_DOCUMENTS=200` is the large form. */
const kills = Number(process.env['KILLS'] ?? 2);
const runs = Number(process.env['RUNS'] ?? 1);
/** Kills during the run, and the same number during its undo. */
const killsOfRun = Number(process.env['RUN_KILLS'] ?? 1);
const runDocuments = Number(process.env['RUN_DOCUMENTS'] ?? 6);

/** Creates a tag for each conversation and changes its document. */
let made = 0;
function script(name: string, round: number) {
  if (round > 0) return { text: 'Done.' };
  const tag = { name: 'create_tag', args: { name: `tag ${(made += 1)}` } };
  if (name === 'case-parked') return { calls: [tag] };
  return { calls: [tag, { name: 'update_document', args: { set_metadata: { paid: `${made}` } } }] };
}

interface Installation {
  client: ServerClient;
  model: ModelServer;
  database: Db;
  server: () => KillableServer;
  /** Kills the working process and starts another. Expires the leases of the killed one. */
  kill: () => Promise<void>;
}

const parkedDocuments = Math.max(kills, 2);
const documents = Math.max(parkedDocuments, runDocuments);

/** The second test continues with the data of the first. */
let installation: Installation & { ids: string[] };
const stop: (() => Promise<void>)[] = [];
beforeAll(
  async () => {
    installation = await install();
  },
  120_000 + documents * 1_000,
);
afterAll(async () => {
  for (const each of stop.toReversed()) await each();
});

async function install(): Promise<Installation & { ids: string[] }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-run-'));
  stop.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
  const model = await startModelServer(script);
  stop.push(async () => model.stop());
  const mongo = await startEmbeddedMongo({ dataDir });
  stop.push(() => mongo.stop());
  const connection = await MongoClient.connect(mongo.uri);
  stop.push(() => connection.close());
  const database = connection.db('docwright');
  const startOnce = () =>
    startServer({
      DATA_DIR: dataDir,
      MONGODB_URI: mongo.uri,
      APP_SECRET: 'a secret for this test alone',
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'scripted',
      ALLOW_SIGNUP: 'true',
    });
  // On a very busy machine, a start can time out on its database.
  const start = () => startOnce().catch(startOnce).catch(startOnce);
  let server = await start();
  stop.push(() => server.kill());
  const client = await registerClient(server, 'one');
  const content = Buffer.from('Total: 5').toString('base64');
  const ids = [client.documentId];
  while (ids.length < documents) {
    const files = Array.from({ length: Math.min(100, documents - ids.length) }, (_, at) => ({
      name: `${ids.length + at}.txt`,
      content,
    }));
    const body = { documents: files };
    const uploaded = await client.post<{ documents: Document[] }>(server, `${client.organization}/documents`, body);
    ids.push(...uploaded.documents.map(({ id }) => id));
  }
  const reading: DocumentState[] = ['uploaded', 'ocr_processing'];
  while ((await database.collection('documents').countDocuments({ state: { $in: reading } })) > 0) await sleep(50);
  return {
    client,
    model,
    database,
    ids,
    server: () => server,
    async kill() {
      await server.kill();
      const lease = { $set: { state: 'queued', lease: null } };
      await database.collection('document_runs').updateMany({ state: 'running' }, lease);
      await database.collection('runs').updateMany({ lease: { $ne: null } }, { $unset: { lease: 1 } });
      await database
        .collection('agent_turns')
        .updateMany({ status: 'running' }, { $set: { lease_until: new Date(Date.now() - 60_000) } });
      server = await start();
    },
  };
}

async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await sleep(100);
  }
}

it(
  `runs ${kills} parked calls once each, killed while each is decided or carried out`,
  async () => {
    const { client, server, kill, database } = installation;
    const ids = installation.ids.slice(0, parkedDocuments);
    const at = (route: string) => `${client.organization}/${route}`;
    const body = { document_ids: ids, message: 'Do case-parked.', on_ask: 'park' };
    const { id } = await client.post<Run>(server(), at('runs'), body);
    const readRun = () => client.get<Run>(server(), at(`runs/${id}`));
    await until(readRun, ({ parked }) => parked > 0);
    await kill();
    await until(readRun, ({ ended_at }) => ended_at !== null);
    const { approvals, total_count } = await client.get<ApprovalList>(server(), at('approvals?limit=100'));
    expect(total_count).toBe(ids.length);
    const wanted = new Set(approvals.map(({ arguments: args }) => (JSON.parse(args) as { name: string }).name));
    expect(wanted.size).toBe(ids.length);

    for (const [number, { turn_id, call_id }] of approvals.entries()) {
      const decide = () =>
        client.post<DecideApprovalsAnswer>(server(), at('approvals/decide'), {
          decisions: [{ turn_id, call_id, approved: true }],
        });
      const answer = decide().catch(() => undefined);
      await sleep(Math.random() * 150);
      await kill();
      await answer;
      // Repeats a decision without an answer; a decided call is no longer found.
      const [again] = (await decide()).outcomes;
      expect(['decided', 'not_found', 'conflict']).toContain(again?.status);
      // Waits until the call has run before the next decision: on a busy machine, kills would come faster than work finishes.
      await until(readRun, ({ parked, running, waiting }) => parked === waiting && running === 0);
      if (kills > 10 && number % 10 === 9) process.stdout.write(`${number + 1} killed\n`);
    }
    // If a process dies between the decision and its turn, the next sweep carries the decision out.
    await database
      .collection('waiting_calls')
      .updateMany({ decided_at: { $exists: true } }, { $set: { decided_at: new Date(0) } });
    const run = await until(readRun, ({ parked, running, waiting }) => parked + running + waiting === 0);
    expect(run).toMatchObject({ succeeded: ids.length, failed: 0 });
    const { tags } = await client.get<{ tags: Tag[] }>(server(), at('tags?limit=100'));
    expect(new Set(tags.map(({ name }) => name))).toEqual(wanted);
    expect(tags).toHaveLength(ids.length);
    const executed: AuditEntry[] = [];
    for (let skip = 0, total = 1; skip < total; skip += 100) {
      const page = await client.get<{ entries: AuditEntry[]; total_count: number }>(
        server(),
        at(`audit?limit=100&skip=${skip}`),
      );
      executed.push(...page.entries.filter(({ kind, tool }) => kind === 'executed' && tool === 'create_tag'));
      total = page.total_count;
    }
    expect(executed.map(({ call_id }) => call_id).toSorted()).toEqual(
      approvals.map(({ call_id }) => call_id).toSorted(),
    );
  },
  120_000 + kills * 45_000,
);

/** The stored records that a run can write, without counters and fields about the run itself. */
async function snapshot(database: Db): Promise<unknown> {
  const [documents, tags, schemas, prompts, extractions] = await Promise.all(
    ['documents', 'tags', 'schemas', 'prompts', 'extractions'].map((name) =>
      database
        .collection(name)
        .find({ deleted_at: null }, { projection: { changes: 0, applied_calls: 0, deleted_by: 0, deleted_with: 0 } })
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  return { documents, tags, schemas, prompts, extractions };
}

it(
  `leaves everything as it was, killed in a run over ${runDocuments} documents and in its undo, ${runs} times`,
  async () => {
    const { client, server, kill, database } = installation;
    const ids = installation.ids.slice(0, runDocuments);
    const at = (route: string) => `${client.organization}/${route}`;
    // What follows the reading of documents (routing, marks of lists) is done once nothing changes any more.
    await until(
      async () => {
        const [one, other] = [await snapshot(database), await sleep(2_500).then(() => snapshot(database))];
        return isDeepStrictEqual(one, other);
      },
      (isAtRest) => isAtRest,
    );
    const before = await snapshot(database);
    let equal = 0;
    for (let time = 0; time < runs; time += 1) {
      const auto_approved_tools = ['create_tag', 'update_document'];
      const body = { document_ids: ids, message: 'Do case-writes.', auto_approved_tools };
      const { id } = await client.post<Run>(server(), at('runs'), body);
      const readRun = () => client.get<Run>(server(), at(`runs/${id}`));
      const rate = runDocuments * 60;
      for (let killed = 0; killed < killsOfRun; killed += 1) {
        await sleep(Math.random() * Math.min(rate, 6_000));
        await kill();
      }
      const run = await until(readRun, ({ ended_at }) => ended_at !== null);
      expect(run.succeeded).toBeGreaterThan(0);
      expect(await snapshot(database)).not.toEqual(before);
      await client.post<Run>(server(), at(`runs/${id}/undo`), {});
      for (let killed = 0; killed < killsOfRun; killed += 1) {
        await sleep(Math.random() * Math.min(rate / 2, 4_000));
        await kill();
      }
      const { undo } = await until(readRun, ({ undo: found }) => found !== undefined && found.state !== 'running');
      expect(undo).toMatchObject({ state: 'completed', conflicts: [] });
      expect(await snapshot(database)).toEqual(before);
      equal += 1;
      if (runs > 1) process.stdout.write(`run ${equal}: ${run.succeeded} succeeded, ${run.failed} failed, equal\n`);
    }
    expect(equal).toBe(runs);
  },
  120_000 + runs * runDocuments * 6_000,
);
