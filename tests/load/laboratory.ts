import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import { spawnServer } from '../product/built-server.ts';
import { processorMs, residentBytes } from './process-figures.ts';

/** The processes of one installation: a database, and API and worker processes on it. */
export interface Laboratory {
  db: Db;
  /** The first API process, without a trailing slash. */
  url: string;
  /** `/v0/orgs/…` of the organization that `ask` acts for. */
  organizationId: string;
  userId: string;
  /** A request of the organization's administrator, of a route below it or a whole path. Throws if the answer is no success. */
  ask: <Answer>(route: string, body?: object, method?: string) => Promise<Answer>;
  /** Processor milliseconds since its start, by process. */
  processor(): Record<string, number>;
  /** Resident megabytes, by process. */
  memory(): Record<string, number>;
  /** Database commands since the start of the first API process, by name. */
  commands(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export interface Roles {
  api: number;
  worker: number;
}

/** The administrator of the organization. */
export const account = { email: 'load@example.com', name: 'Load', password: 'correct horse battery' };

/** Starts the processes on a folder, which stays; without one, on a temporary folder. */
export async function openLaboratory(roles: Roles, folder?: string): Promise<Laboratory> {
  const dataDir = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-load-'));
  const database = await startEmbeddedMongo({ dataDir });
  const mongo = await MongoClient.connect(database.uri);
  const pids: Record<string, number> = { database: database.pid };
  const ends: (() => Promise<void>)[] = [];
  let url = '';
  const names = [...numbered('api', roles.api), ...numbered('worker', roles.worker)];
  for (const name of names) {
    const role = roles.worker === 0 ? {} : { ROLE: name.split(' ')[0]! };
    const child = spawnServer({ PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...role });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    ends.push(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const address = await printed(child, /(?:Open|Status:) (http\S+)/u);
    pids[name] = child.pid!;
    const { origin } = new URL(address);
    // A new index is built first.
    while (!(await fetch(`${origin}/ready`)).ok) await sleep(500);
    if (url === '') url = origin;
  }
  const { token, userId } = await signIn(url);
  const organization = await mongo
    .db('docwright')
    .collection('organizations')
    .findOne({ 'members.user_id': new ObjectId(userId) });
  const organizationId = String(organization!._id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const each = (figure: (pid: number) => number) =>
    Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(pid)]));
  return {
    db: mongo.db('docwright'),
    url,
    organizationId,
    userId,
    async ask<Answer>(route: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
      const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const path = route.startsWith('/api/') ? route : `/v0/orgs/${organizationId}${route}`;
      const response = await fetch(`${url}${path}`, request);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${text.slice(0, 300)}`);
      const answer: Answer = JSON.parse(text === '' ? 'null' : text);
      return answer;
    },
    processor: () => each(processorMs),
    memory: () => each((pid) => Math.round(residentBytes(pid) / 1e6)),
    async commands() {
      const text = await (await fetch(`${url}/metrics`)).text();
      const counts: Record<string, number> = {};
      const line = /^docwright_database_command_duration_seconds_count\{command="(\w+)"[^}]*\} (\d+)/gmu;
      for (const [, name = '', count] of text.matchAll(line)) counts[name] = (counts[name] ?? 0) + Number(count);
      return counts;
    },
    async stop() {
      await Promise.all(ends.map((end) => end()));
      await mongo.close();
      await database.stop();
      if (folder === undefined) fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const numbered = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${role} ${at + 1}`);

async function signIn(url: string) {
  const post = async (route: string) => {
    const body = JSON.stringify(account);
    return await fetch(`${url}/v0/auth/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  };
  let response = await post('register');
  if (!response.ok) response = await post('login');
  if (!response.ok) throw new Error(`The account could not sign in: ${await response.text()}`);
  const session: { access_token: string; user: { id: string } } = JSON.parse(await response.text());
  return { token: session.access_token, userId: session.user.id };
}

async function printed(child: ReturnType<typeof spawnServer>, pattern: RegExp): Promise<string> {
  let output = '';
  return await new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`A process ended with ${code}:\n${output}`)));
  });
}
