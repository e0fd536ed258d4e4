import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderConfig, imapConfig, s3Config, type SourceConnector } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createSealedTexts } from '../../platform/settings/sealed-text.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { documentModel } from '../documents/index.ts';
import { organizationModel } from '../identity/organizations/organization-model.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createSourceRepositories } from './source-repository.ts';
import { sourceModel } from './source-model.ts';
import { startImapServer, type ImapServer } from './testing/imap-server.ts';
import { s3Key, startS3Server, type S3Server } from './testing/s3-server.ts';
import { writeMail } from './testing/written-mail.ts';

const script = fileURLToPath(new URL('../../testing/sync-until-killed.ts', import.meta.url));
/** `KILLS=20 FILES=5000` after a change to what a sync writes. */
const kills = Number(process.env['KILLS'] ?? 1);
const count = Number(process.env['FILES'] ?? 150);
/** Mails have several files each, so that a process also dies between two of one mail. */
const filesInMail = 3;

const uri = newTestDatabase();
const userId = new mongoose.Types.ObjectId().toHexString();
const secrets = createConnectorSecrets(createSealedTexts(deriveKey('a secret for tests only', 'source-secrets')));
const numbers = Array.from({ length: count }, (_, at) => at);
let connection: Connection;
let folder: string;
let s3: S3Server;
let imap: ImapServer;

beforeAll(async () => {
  connection = await connectDatabase(uri);
  folder = await mkdtemp(path.join(tmpdir(), 'inlet-'));
  s3 = await startS3Server('inbox-1');
  imap = await startImapServer();
});
afterAll(async () => {
  s3.stop();
  imap.stop();
  await connection.close();
  await rm(folder, { recursive: true });
});

/** Fills a place with files; returns the connector that reads it. */
const places: Record<SourceConnector['kind'], () => Promise<SourceConnector>> = {
  async folder() {
    for (const at of numbers) {
      const sub = path.join(folder, String(at % 7));
      if (at < 7) await mkdir(sub);
      await writeFile(path.join(sub, `${at}.txt`), `Text ${at}`);
    }
    const config = folderConfig.parse({ path: folder, settle_seconds: 0, subfolder_tags: true });
    return { kind: 'folder', config };
  },
  async s3() {
    for (const at of numbers) s3.objects.set(`in/${at}.txt`, `Text ${at}`);
    const place = { endpoint: s3.url, bucket: 'inbox-1', path_style: true, access_key_id: s3Key.accessKeyId };
    return { kind: 's3', config: s3Config.parse(place), secret: s3Key.secretAccessKey };
  },
  async imap() {
    for (const at of numbers) {
      const mail = Math.floor(at / filesInMail);
      const parts = numbers.slice(mail * filesInMail, (mail + 1) * filesInMail);
      const named = parts.map((each) => ({ name: `${each}.txt`, bytes: `Text ${each}` }));
      imap.mails.set(mail + 1, writeMail({ id: `mail-${mail}`, parts: named }));
    }
    const place = { host: '127.0.0.1', port: imap.port, tls: 'none', user: 'inbox@example.com' };
    return { kind: 'imap', config: imapConfig.parse(place), secret: imap.password };
  },
};

/** Runs a process that syncs the source until this holds, then kills it. */
async function syncUntil(organizationId: string, sourceId: string, isReached: () => Promise<boolean>): Promise<void> {
  // As if the lease of the killed process had run out.
  const due = { $set: { next_sync_at: new Date() }, $unset: { lease: 1 as const } };
  await sourceModel(connection).collection.updateOne({ _id: new mongoose.Types.ObjectId(sourceId) }, due);
  const hosts = `${new URL(s3.url).host},127.0.0.1:${imap.port}`;
  const child = spawn(process.execPath, [script, uri, organizationId, folder, hosts], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (child.exitCode === null && !(await isReached())) await sleep(10);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

it.each(['folder', 's3', 'imap'] as const)(
  'takes each file of the kind %s exactly once, however often its process is killed',
  { timeout: 60_000 + kills * 15_000 },
  async (kind) => {
    const organization = await organizationModel(connection).create({
      name: 'Org',
      members: [{ user_id: userId, role: 'admin', joined_at: new Date() }],
      created_at: new Date(),
    });
    const organization_id = organization._id;
    const organizationId = organization_id.toHexString();
    const sources = createSourceRepositories(connection)(organizationId);
    const connector = secrets.seal(organizationId, await places[kind]());
    const { id } = await sources.create({ name: 'In', connector }, userId);
    const documents = documentModel(connection).collection;
    const taken = () => documents.countDocuments({ organization_id });
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = Math.floor((count * kill) / (kills + 1)) + 1;
      await syncUntil(organizationId, id, async () => (await taken()) >= enough);
      // Killed in the middle: neither before it took any, nor when all are taken.
      expect(await taken()).toBeGreaterThanOrEqual(enough);
    }
    expect(await taken()).toBeLessThan(count);
    await syncUntil(organizationId, id, async () => (await sources.syncOf(id))?.ended_at != null);
    expect(await sources.syncOf(id)).toMatchObject({ error: null, counts: { failed: 0 } });
    const names = await documents.distinct('document_name', { organization_id });
    expect([await taken(), names.length]).toEqual([count, count]);
    expect(await documents.countDocuments({ organization_id, duplicate_of: { $ne: null } })).toBe(0);
    const files = connection.collection('source_files');
    const found = kind === 'imap' ? Math.ceil(count / filesInMail) : count;
    expect(await files.countDocuments({ source_id: new mongoose.Types.ObjectId(id) })).toBe(found);
    const tags = kind === 'folder' ? 7 : 0;
    expect(await connection.collection('tags').countDocuments({ organization_id })).toBe(tags);
  },
);
