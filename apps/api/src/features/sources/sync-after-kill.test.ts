import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { documentModel } from '../documents/index.ts';
import { organizationModel } from '../identity/organizations/organization-model.ts';
import { createSourceRepositories } from './source-repository.ts';
import { sourceModel } from './source-model.ts';

const script = fileURLToPath(new URL('../../testing/sync-until-killed.ts', import.meta.url));
/** `KILLS=20 FILES=5000` after a change to what a sync writes. */
const kills = Number(process.env['KILLS'] ?? 2);
const count = Number(process.env['FILES'] ?? 200);

const uri = newTestDatabase();
const userId = new mongoose.Types.ObjectId().toHexString();
let connection: Connection;
let organizationId: string;
let folder: string;
let sourceId: string;
const documents = () => documentModel(connection).collection;

beforeAll(async () => {
  connection = await connectDatabase(uri);
  folder = await mkdtemp(path.join(tmpdir(), 'inlet-'));
  const organization = await organizationModel(connection).create({
    name: 'Org',
    members: [{ user_id: userId, role: 'admin', joined_at: new Date() }],
    created_at: new Date(),
  });
  organizationId = organization._id.toHexString();
  for (let at = 0; at < count; at += 1) {
    const sub = path.join(folder, String(at % 7));
    if (at < 7) await mkdir(sub);
    await writeFile(path.join(sub, `${at}.txt`), `Text ${at}`);
  }
  const config = { path: folder, settle_seconds: 0, ignore: [], depth: 3, subfolder_tags: true };
  const connector = { kind: 'folder' as const, config: { ...config, afterwards: { do: 'leave' as const } } };
  const sources = createSourceRepositories(connection)(organizationId);
  const source = await sources.create({ name: 'In', connector: { masked: connector, sealed: undefined } }, userId);
  sourceId = source.id;
});
afterAll(async () => {
  await connection.close();
  await rm(folder, { recursive: true });
});

/** Runs a process that syncs until this holds, then kills it. */
async function syncUntil(isReached: () => Promise<boolean>): Promise<void> {
  // As if the lease of the killed process had run out.
  const due = { $set: { next_sync_at: new Date() }, $unset: { lease: 1 as const } };
  await sourceModel(connection).collection.updateOne({ _id: new mongoose.Types.ObjectId(sourceId) }, due);
  const child = spawn(process.execPath, [script, uri, organizationId, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (child.exitCode === null && !(await isReached())) await sleep(10);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

it(
  'takes each file exactly once, however often its process is killed',
  { timeout: 60_000 + kills * 15_000 },
  async () => {
    const taken = () => documents().countDocuments({});
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = Math.floor((count * kill) / (kills + 1)) + 1;
      await syncUntil(async () => (await taken()) >= enough);
      // Killed in the middle: neither before it took any, nor when all are taken.
      expect(await taken()).toBeGreaterThanOrEqual(enough);
    }
    expect(await taken()).toBeLessThan(count);
    const ended = async () => {
      const sync = await createSourceRepositories(connection)(organizationId).syncOf(sourceId);
      return sync?.ended_at != null;
    };
    await syncUntil(ended);
    const names = await documents().distinct('document_name', {});
    expect([await taken(), names.length]).toEqual([count, count]);
    expect(await documents().countDocuments({ duplicate_of: { $ne: null } })).toBe(0);
    const files = connection.collection('source_files');
    expect(await files.countDocuments({})).toBe(count);
    expect(await connection.collection('tags').countDocuments({})).toBe(7);
  },
);
