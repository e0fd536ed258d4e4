import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, type Document } from 'mongodb';
import { recordCommands } from '../bare/record-commands.ts';
import type { Laboratory } from '../laboratory.ts';
import { processorMs } from '../process-figures.ts';
import type { Seeded } from '../seed.ts';
import { looks } from './looks.ts';

/** The first of each list, a search, and a document. */
const compared = [
  'documents',
  'documents: part of the name',
  'audit',
  'review',
  'approvals',
  'find: part of a name',
  'a document',
];
const rounds = 60;
const warmUp = 15;

interface Compared {
  /** Reads of one request. */
  commands: number;
  /** Processor milliseconds of server and database for one request, and the median until its answer. */
  product: number;
  'product p50': number;
  bare: number;
  'bare p50': number;
  /** The bare server's part of the product's processor time. */
  ratio: number;
}

/**
 * Requests of pages beside a bare server that sends the same reads to the same database and answers what they found, in one run and in
 * turns: what the product takes beyond its queries.
 */
export async function bare(laboratory: Laboratory, seeded: Seeded): Promise<Record<string, Compared>> {
  const all = looks(seeded, laboratory.userId);
  const routes = compared.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  const recorded = await readsOf(laboratory, routes);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-bare-'));
  const file = path.join(folder, 'commands.json');
  fs.writeFileSync(file, BSON.EJSON.stringify(recorded, { relaxed: false }));
  const script = path.resolve(import.meta.dirname, '../bare/bare-server.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, laboratory.databaseUri, file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const ask = async (route: string) => {
      const response = await fetch(`http://127.0.0.1:${Number(String(port))}${route}`);
      if (!response.ok) throw new Error(`The bare server answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    const ofServers = () => Object.values(laboratory.processor()).reduce((sum, ms) => sum + ms, 0);
    const figures: Record<string, Compared> = {};
    for (const [name, route] of routes) {
      const one = await measure(async () => laboratory.ask(route), ofServers);
      const ofBare = () => processorMs(child.pid!) + laboratory.processor()['database']!;
      const other = await measure(async () => ask(route), ofBare);
      figures[name] = {
        commands: recorded[route]!.length,
        product: one.processor,
        'product p50': one.p50,
        bare: other.processor,
        'bare p50': other.p50,
        ratio: round(other.processor / one.processor),
      };
    }
    return figures;
  } finally {
    child.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(ask: () => Promise<unknown>, processor: () => number) {
  for (let at = 0; at < warmUp; at += 1) await ask();
  const before = processor();
  const times: number[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { processor: round((processor() - before) / rounds), p50: round(sorted[rounds / 2]!) };
}

const round = (value: number): number => Number(value.toFixed(2));

/** The reads of each route, by a server of its own behind a port that notes them. */
async function readsOf(
  laboratory: Laboratory,
  routes: readonly (readonly [string, string])[],
): Promise<Record<string, Document[]>> {
  const recorder = await recordCommands(laboratory.databaseSocket);
  const server = await laboratory.startBeside(recorder.port);
  try {
    const recorded: Record<string, Document[]> = {};
    for (const [, route] of routes) {
      // The second time, nothing is done for the first look; what comes by time is told apart by a pause without a request.
      await server.ask(route);
      await sleep(500);
      recorder.take();
      await server.ask(route);
      recorded[route] = recorder.take();
    }
    return recorded;
  } finally {
    await server.stop();
    recorder.close();
  }
}
