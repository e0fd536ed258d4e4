import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, type Db } from 'mongodb';
import { spawnServer } from '../product/built-server.ts';
import { openForwarder } from './forwarder.ts';
import { account, openOrganization, type LoadedOrganization } from './organization.ts';
import { processorMs, residentBytes } from './process-figures.ts';

/** The processes of one installation: a database, and API and worker processes on it. */
export interface Laboratory extends LoadedOrganization {
  db: Db;
  /** The first API process; with several, a port that forwards to each in turn. Without a trailing slash. */
  url: string;
  /** Another organization, which has no documents. */
  otherOrganization(): Promise<LoadedOrganization>;
  /** A request of the organization's administrator, of a route below it or a whole path. Throws if the answer is no success. */
  ask: <Answer>(route: string, body?: object, method?: string) => Promise<Answer>;
  /** The names of the servers that run, such as `api 1`. */
  servers(): string[];
  /** Kills a server, or ends it as a platform does. Resolves when it has exited. */
  stopServer(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again, on another port. */
  startServer(name: string, release?: 'former' | 'this'): Promise<void>;
  /** Cuts the servers off from the database, or lets them reach it again. */
  setDatabaseAway(isAway: boolean): void;
  /** Its connection string, and its socket or port. */
  databaseUri: string;
  databaseSocket: number | string;
  /** Starts a further server that reaches the database through a port of this machine, with the same account. */
  startBeside(databasePort: number): Promise<{ ask: (route: string) => Promise<unknown>; stop(): Promise<void> }>;
  /** Processor milliseconds since the start of the installation, by process: ended ones are included. */
  processor(): Record<string, number>;
  /** Resident megabytes, by process. */
  memory(): Record<string, number>;
  /** Database commands of all servers that run, each since its start, by name. */
  commands(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export interface Roles {
  api: number;
  worker: number;
}

interface Options {
  /** It is kept. The default is a temporary folder. */
  folder?: string | undefined;
  /** Of the servers. */
  settings?: Record<string, string>;
  /** Whether the servers reach the database through a port that `setDatabaseAway` closes. */
  isDatabaseRemote?: boolean;
  /** The folder of a former release, which the servers start with. */
  formerRelease?: string | undefined;
}

interface Server {
  pid: number;
  port: number;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts the processes on a folder. */
export async function openLaboratory(roles: Roles, options: Options = {}): Promise<Laboratory> {
  const { folder, settings = {}, isDatabaseRemote = false, formerRelease } = options;
  const dataDir = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-load-'));
  const database = await startEmbeddedMongo({ dataDir });
  const mongo = await MongoClient.connect(database.uri);
  const network = await openForwarder(() => [socketOf(database.uri)]);
  const running = new Map<string, Server>();
  const spent = new Map<string, number>();

  async function start(own: Record<string, string>, release: 'former' | 'this' = 'this') {
    const child = spawnServer(
      { PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...own },
      release === 'former' ? formerRelease : undefined,
    );
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const { origin, port } = new URL(await printed(child, /(?:Open|Status:) (http\S+)/u));
    // Later errors belong to the report of the scenario.
    child.stderr.pipe(process.stderr);
    // A new index is built first.
    while (!(await fetch(`${origin}/ready`)).ok) await sleep(500);
    return { child, exited, origin, port };
  }

  async function startServer(name: string, release: 'former' | 'this' = 'this'): Promise<void> {
    const role = roles.worker === 0 ? {} : { ROLE: name.split(' ')[0]! };
    const remote = { MONGODB_URI: remoteUri(network.port), APP_SECRET: 'the secret of the laboratory' };
    const { child, exited, port } = await start({ ...(isDatabaseRemote && remote), ...role, ...settings }, release);
    running.set(name, {
      pid: child.pid!,
      port: Number(port),
      async end(signal) {
        spent.set(name, (spent.get(name) ?? 0) + processorMs(child.pid!));
        running.delete(name);
        child.kill(signal);
        await exited;
      },
    });
  }

  for (const name of [...numbered('api', roles.api), ...numbered('worker', roles.worker)]) {
    await startServer(name, formerRelease === undefined ? 'this' : 'former');
  }
  const portsOfApi = () => [...running].flatMap(([name, { port }]) => (name.startsWith('api') ? [port] : []));
  const balancer = roles.api > 1 ? await openForwarder(portsOfApi) : undefined;
  const url = `http://127.0.0.1:${balancer?.port ?? portsOfApi()[0]!}`;
  const db = mongo.db('docwright');
  const own = await openOrganization(url, db, account.email);
  const { organizationId } = own;
  const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
  async function askAt<Answer>(
    at: string,
    route: string,
    body?: object,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Answer> {
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const path = route.startsWith('/api/') ? route : `/v0/orgs/${organizationId}${route}`;
    const response = await fetch(`${at}${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${text.slice(0, 300)}`);
    const answer: Answer = JSON.parse(text === '' ? 'null' : text);
    return answer;
  }
  const each = (figure: (pid: number, name: string) => number): Record<string, number> => ({
    database: figure(database.pid, 'database'),
    ...Object.fromEntries([...running].map(([name, { pid }]) => [name, figure(pid, name)])),
  });
  return {
    ...own,
    db,
    otherOrganization: () => openOrganization(url, db, 'other@example.com'),
    ask: (route, body, method) => askAt(url, route, body, method),
    servers: () => [...running.keys()],
    stopServer: async (name, signal) => running.get(name)?.end(signal),
    startServer,
    setDatabaseAway: (isAway) => network.setAway(isAway),
    databaseUri: database.uri,
    databaseSocket: socketOf(database.uri),
    async startBeside(databasePort) {
      const APP_SECRET = fs.readFileSync(path.join(dataDir, 'app-secret'), 'utf8').trim();
      const own = { ...settings, ROLE: 'api', MONGODB_URI: remoteUri(databasePort), APP_SECRET };
      const { child, exited, origin } = await start(own);
      return {
        ask: (route) => askAt(origin, route),
        async stop() {
          child.kill('SIGTERM');
          await exited;
        },
      };
    },
    processor: () => each((pid, name) => processorMs(pid) + (spent.get(name) ?? 0)),
    memory: () => each((pid) => Math.round(residentBytes(pid) / 1e6)),
    async commands() {
      const counts: Record<string, number> = {};
      const line = /^docwright_database_command_duration_seconds_count\{command="(\w+)"[^}]*\} (\d+)/gmu;
      for (const { port } of running.values()) {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        for (const [, name = '', count] of text.matchAll(line)) counts[name] = (counts[name] ?? 0) + Number(count);
      }
      return counts;
    },
    async stop() {
      await Promise.all([...running.values()].map((server) => server.end('SIGTERM')));
      balancer?.close();
      await mongo.close();
      network.close();
      await database.stop();
      if (folder === undefined) fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const numbered = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${role} ${at + 1}`);

const remoteUri = (port: number): string => `mongodb://127.0.0.1:${port}/docwright?directConnection=true`;

/** The socket or port of an embedded database. */
function socketOf(uri: string): number | string {
  const host = decodeURIComponent(/^mongodb:\/\/([^/]+)\//u.exec(uri)?.[1] ?? '');
  return host.endsWith('.sock') ? host : Number(host.split(':')[1]);
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
