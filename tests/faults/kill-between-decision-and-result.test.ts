import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry, Document, Extraction, Thread, TurnAnswer, UndoAnswer } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { expect, it } from 'vitest';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer, type ModelServer, type ScriptContext } from './scripted-model-server.ts';
import { registerClient, type ServerClient } from './server-client.ts';

/** By default, one kill at each moment, of the database too; use `KILLS=100` after a change to turns. */
const kills = Number(process.env['KILLS'] ?? 8);
const lanes = kills > 8 ? 2 : 1;
/** The approximate duration of an approval without a kill. */
const runMs = 120;
const undoMs = 60;
const callsEach = 6;

/** Users in rotation: a user can start 60 turns a minute, decisions included. */
const people = 3;

interface Case {
  name: string;
  client: ServerClient;
  threadId: string;
  isUndone: boolean;
}

const schema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

/** Two writes that need approval, two that do not, two more that do, and a short text. */
function script(name: string, round: number, { hasTools }: ScriptContext) {
  if (!hasTools) return { text: '{"total":"5"}' };
  if (round === 0) {
    const args = { name: `${name}-schema`, response_format };
    return {
      calls: [
        { name: 'create_schema', args },
        { name: 'create_tag', args: { name: `${name}-first` } },
      ],
    };
  }
  if (round === 1) {
    const content = `What is the total of ${name}?`;
    return {
      calls: ['one', 'two'].map((which) => ({ name: 'create_prompt', args: { name: `${name}-${which}`, content } })),
    };
  }
  if (round === 2) {
    const tag = { name: 'create_tag', args: { name: `${name}-second` } };
    return { calls: [tag, { name: 'run_extraction', args: {} }] };
  }
  return { text: `All of it is there for ${name} now.` };
}

it(
  `loses and repeats no write when the process is killed between decision and result, and in an undo, ${kills} times`,
  async () => {
    const each = kills / lanes;
    const left = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(`lane${lane}`, each)));
    expect(left.flat()).toHaveLength(kills);
  },
  120_000 + kills * 15_000,
);

/** Kills one installation `times` times and checks its cases at the end. */
async function runLane(lane: string, times: number): Promise<string[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-'));
  const model = await startModelServer(script);
  const database = await startEmbeddedMongo({ dataDir });
  const start = (ROLE: 'all' | 'api' = 'api') =>
    startServer({
      DATA_DIR: dataDir,
      MONGODB_URI: database.uri,
      APP_SECRET: 'a secret for this test alone',
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'scripted',
      ROLE,
      ALLOW_SIGNUP: 'true',
    });
  // The first process reads the documents; the killed ones run no jobs.
  let server = await start('all');
  const clients: ServerClient[] = [];
  for (let person = 0; person < people; person += 1) {
    const client = await registerClient(server, `${lane}-${person}`);
    await textIsRead(client, server);
    clients.push(client);
  }
  await server.end();
  server = await start();
  try {
    const cases: Case[] = [];
    let killed = 0;
    while (killed < times) {
      const name = `case-${lane}-${cases.length}`;
      const client = clients[cases.length % people]!;
      let waiting = await client.post<TurnAnswer>(server, client.chat, {
        messages: [{ role: 'user', content: `Do ${name}.` }],
        auto_approved_tools: ['create_prompt'],
      });
      const one: Case = { name, client, threadId: waiting.thread_id, isUndone: cases.length % 2 === 1 };
      cases.push(one);
      while (waiting.status === 'awaiting_approval') {
        const { tool_calls, turn_id } = waiting;
        const approvals = tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
        const approve = () => client.post<TurnAnswer>(server, `${client.chat}/approve`, { turn_id, approvals });
        if (killed < times) {
          const answer = approve().catch(() => undefined);
          await momentToKill(model, killed);
          await killAndStart();
          await answer;
        }
        waiting = await approve();
        // Repeating the decisions runs nothing.
        expect(await approve()).toEqual(waiting);
      }
      expect(waiting).toMatchObject({ status: 'completed', text: `All of it is there for ${name} now.` });
      if (!one.isUndone) continue;
      const undo = () => client.post<UndoAnswer>(server, `${client.chat}/turns/${waiting.turn_id}/undo`, {});
      if (killed < times) {
        const answer = undo().catch(() => undefined);
        await sleep(Math.random() * undoMs);
        await killAndStart();
        await answer;
      }
      const undone = await undo();
      expect(undone.undone).toHaveLength(callsEach);
      expect(await undo()).toEqual(undone);
    }
    for (const client of clients) {
      const own = cases.filter((one) => one.client === client);
      await check(client, server, own);
    }
    return Array.from({ length: killed }, () => lane);

    async function killAndStart(): Promise<void> {
      await server.kill();
      killed += 1;
      if (killed % 5 === 0) {
        const { pid } = database;
        process.kill(pid, 'SIGKILL');
        // The database restarts by itself at the same address.
        await expect.poll(() => database.pid).not.toBe(pid);
      }
      server = await start();
    }
  } finally {
    await server.kill();
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** In rotation: at a random time, at the first or second request to the model after the decision, and during its answer. */
async function momentToKill(model: ModelServer, number: number): Promise<void> {
  const anyTime = sleep(Math.random() * runMs);
  const staged = [1, 2, 3, 3][number % 8];
  if (staged === undefined) return anyTime;
  const moment = number % 8 === 3 ? 'half' : 'begun';
  await Promise.race([
    sleep(2_000),
    new Promise<void>((resolve) => {
      model.onAnswer = (_, round, when) => {
        if (round >= staged && when === moment) resolve();
      };
    }),
  ]);
  model.onAnswer = () => undefined;
}

async function textIsRead(client: ServerClient, server: KillableServer): Promise<void> {
  const path = `${client.organization}/documents/${client.documentId}`;
  while ((await client.get<Document>(server, path)).state !== 'ocr_completed') await sleep(50);
}

async function check(client: ServerClient, server: KillableServer, cases: Case[]) {
  const { organization, chat } = client;
  for (const { name, threadId, isUndone } of cases) {
    const count = async (things: string) =>
      (await client.get<{ total_count: number }>(server, `${organization}/${things}?name_search=${name}-`)).total_count;
    expect([name, await count('schemas'), await count('tags'), await count('prompts')]).toEqual(
      isUndone ? [name, 0, 0, 0] : [name, 1, 2, 2],
    );
    const { messages } = await client.get<Thread>(server, `${chat}/threads/${threadId}`);
    const roles = messages.map(({ role }) => role).join(' ');
    expect([name, roles]).toEqual([name, 'user assistant tool tool assistant tool tool assistant tool tool assistant']);
    expect(messages.filter(({ role, success }) => role === 'tool' && success !== true)).toEqual([]);
  }
  // Each call ran once, and none of the undone ones remain.
  const extractions = await client.get<{ extractions: Extraction[]; total_count: number }>(
    server,
    `${organization}/documents/${client.documentId}/extractions?limit=100`,
  );
  expect(extractions.total_count).toBe(cases.filter(({ isUndone }) => !isUndone).length);
  expect(extractions.extractions.map(({ version }) => version)).toEqual(extractions.extractions.map(() => 1));
  await checkAudit(client, server, cases);
}

/**
 * Each call of the threads was proposed, decided and executed once, whatever was repeated, and some were undone once. An
 * answer that was lost with its process before it was emitted can be recorded too, but none of its calls ran.
 */
async function checkAudit(client: ServerClient, server: KillableServer, cases: Case[]) {
  const { organization, chat } = client;
  const entries: AuditEntry[] = [];
  for (let total = 1; entries.length < total;) {
    const page = await client.get<{ entries: AuditEntry[]; total_count: number }>(
      server,
      `${organization}/audit?limit=100&skip=${entries.length}`,
    );
    entries.push(...page.entries);
    total = page.total_count;
  }
  // The log contains the upload too.
  const ofCalls = entries.filter(({ tool }) => tool !== 'upload_document');
  const left = Map.groupBy(ofCalls, ({ call_id }) => call_id);
  for (const { name, threadId, isUndone } of cases) {
    const { messages } = await client.get<Thread>(server, `${chat}/threads/${threadId}`);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect([name, calls.length]).toEqual([name, callsEach]);
    for (const { id } of calls) {
      const kinds = left
        .get(id)
        ?.map(({ kind }) => kind)
        .toSorted();
      expect([name, kinds]).toEqual([name, ['decided', 'executed', 'proposed', ...(isUndone ? ['undone'] : [])]]);
      left.delete(id);
    }
  }
  const ofNobody = [...left.values()].flat();
  expect(ofNobody.filter(({ kind }) => kind === 'executed' || kind === 'undone')).toEqual([]);
}
