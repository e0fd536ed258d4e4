import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Thread, TurnAnswer } from '@docwright/contract';
import { startEmbeddedMongo, type EmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer, type ModelServer } from './scripted-model-server.ts';

const kills = 100;
const lanes = 2;
/** A run of an approval takes about this long where nothing kills it. */
const runMs = 120;

const schema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

/** Two writes to approve, two more that nobody has to be asked about, one more to approve, and a text of some words. */
function script(name: string, round: number) {
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
    const content = 'What is the total?';
    return {
      calls: ['one', 'two'].map((which) => ({ name: 'create_prompt', args: { name: `${name}-${which}`, content } })),
    };
  }
  if (round === 2) return { calls: [{ name: 'create_tag', args: { name: `${name}-second` } }] };
  return { text: `All of it is there for ${name} now.` };
}

it(`loses and repeats no write when the process is killed between decision and result, ${kills} times`, async () => {
  const each = kills / lanes;
  const left = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(`lane${lane}`, each)));
  expect(left.flat()).toHaveLength(kills);
}, 480_000);

/** One installation, killed `times` times; its cases are checked at the end. */
async function runLane(lane: string, times: number): Promise<string[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-'));
  const model = await startModelServer(script);
  let database = await startEmbeddedMongo({ dataDir });
  const start = () =>
    startServer({
      DATA_DIR: dataDir,
      MONGODB_URI: database.uri,
      APP_SECRET: 'a secret for this test alone',
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'scripted',
      ROLE: 'api',
    });
  // The first one ends by itself: only then is what was compiled kept, and the next ones start fast.
  await (await start()).end();
  let server = await start();
  try {
    const client = await register(server, lane);
    const cases: { name: string; threadId: string }[] = [];
    let killed = 0;
    while (killed < times) {
      const name = `case-${lane}-${cases.length}`;
      let waiting = await client.post<TurnAnswer>(server, client.chat, {
        messages: [{ role: 'user', content: `Do ${name}.` }],
        auto_approved_tools: ['create_prompt'],
      });
      cases.push({ name, threadId: waiting.thread_id });
      while (waiting.status === 'awaiting_approval') {
        const { tool_calls, turn_id } = waiting;
        const approvals = tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
        const approve = () => client.post<TurnAnswer>(server, `${client.chat}/approve`, { turn_id, approvals });
        if (killed < times) {
          const answer = approve().catch(() => undefined);
          await momentToKill(model, killed);
          await server.kill();
          killed += 1;
          if (killed % 10 === 0) {
            process.kill(database.pid, 'SIGKILL');
            await database.exited;
            database = await startEmbeddedMongo({ dataDir });
          }
          await answer;
          await expireLeases(database);
          server = await start();
        }
        waiting = await approve();
        // The same decisions again, which run nothing.
        expect(await approve()).toEqual(waiting);
      }
      expect(waiting).toMatchObject({ status: 'completed', text: `All of it is there for ${name} now.` });
    }
    await check(client, server, cases);
    return Array.from({ length: killed }, () => lane);
  } finally {
    await server.kill();
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** By turns at any time, when the model is asked the first or second time after the decision, and in its answer. */
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

/** A process that died renews its leases no longer; the test need not wait until they run out. */
async function expireLeases(database: EmbeddedMongo): Promise<void> {
  const connection = await MongoClient.connect(database.uri);
  const turns = connection.db('docwright').collection('agent_turns');
  await turns.updateMany({ status: 'running' }, { $set: { lease_until: new Date(0) } });
  await connection.close();
}

interface Client {
  chat: string;
  organization: string;
  get<Answer>(server: KillableServer, route: string): Promise<Answer>;
  post<Answer>(server: KillableServer, route: string, body: object): Promise<Answer>;
}

async function register(server: KillableServer, lane: string): Promise<Client> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  async function ask<Answer>(at: KillableServer, route: string, body?: object): Promise<Answer> {
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${at.url}${route}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    const answer: Answer = JSON.parse(text);
    return answer;
  }
  const person = { email: `${lane}@example.com`, name: lane, password: 'correct horse battery' };
  const registered = await ask<{ access_token: string; organization: { id: string } }>(
    server,
    '/v0/auth/register',
    person,
  );
  headers['authorization'] = `Bearer ${registered.access_token}`;
  const organization = `/v0/orgs/${registered.organization.id}`;
  const content = Buffer.from('Total: 5').toString('base64');
  const { documents } = await ask<{ documents: { id: string }[] }>(server, `${organization}/documents`, {
    documents: [{ name: 'note.txt', content }],
  });
  return { organization, chat: `${organization}/documents/${documents[0]?.id}/chat`, get: ask, post: ask };
}

async function check(client: Client, server: KillableServer, cases: { name: string; threadId: string }[]) {
  const { organization, chat } = client;
  for (const { name, threadId } of cases) {
    const count = async (things: string) =>
      (await client.get<{ total_count: number }>(server, `${organization}/${things}?name_search=${name}-`)).total_count;
    expect([name, await count('schemas'), await count('tags'), await count('prompts')]).toEqual([name, 1, 2, 2]);
    const { messages } = await client.get<Thread>(server, `${chat}/threads/${threadId}`);
    const roles = messages.map(({ role }) => role).join(' ');
    expect([name, roles]).toEqual([name, 'user assistant tool tool assistant tool tool assistant tool assistant']);
    expect(messages.filter(({ role, success }) => role === 'tool' && success !== true)).toEqual([]);
  }
  // Each of the five calls was proposed, decided and executed once, whatever was run again.
  const audit = await client.get<{ total_count: number }>(server, `${organization}/audit?limit=1`);
  expect(audit.total_count).toBe(3 * 5 * cases.length);
}
