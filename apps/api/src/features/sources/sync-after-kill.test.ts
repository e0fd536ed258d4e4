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
import { s3Key, startS3Server, type S3Server } from '../../testing/s3/s3-server.ts';
import { writeMail } from './testing/written-mail.ts';

const script = fileURLToPath(new URL('../../testing/sync-until-killed.ts', import.meta.url));
/** `KILLS=20 FILES=5000` after a change to what a sync writes. */
const kills = Number(process.env['KILLS'] ?? 1);
const count = Number(process.env['FILES'] ?? 90);
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
      await writeFile(path.join(sub, `folder-${at}.txt`), `Folder ${at}`);
    }
    const config = folderConfig.parse({ path: folder, settle_seconds: 0, subfolder_tags: true });
    return { kind: 'folder', config };
  },
  async s3() {
    for (const at of numbers) s3.objects.set(`in/s3-${at}.txt`, `Bucket ${at}`);
    const place = { endpoint: s3.url, bucket: 'inbox-1', path_style: true, access_key_id: s3Key.accessKeyId };
    return { kind: 's3', config: s3Config.parse(place), secret: s3Key.secretAccessKey };
  },
  async imap() {
    for (const at of numbers) {
      const mail = Math.floor(at / filesInMail);
      const parts = numbers.slice(mail * filesInMail, (mail + 1) * filesInMail);
      const named = parts.map((each) => ({ name: `imap-${each}.txt`, bytes: `Mail ${each}` }));
      imap.mails.set(mail + 1, writeMail({ id: `mail-${mail}`, parts: named }));
    }
    const place = { host: '127.0.0.1', port: imap.port, tls: 'none', user: 'inbox@example.com' };
    return { kind: 'imap', config: imapConfig.parse(place), secret: imap.password };
  },
};

const kinds = ['folder', 's3', 'imap'] as const;

/** Runs a process that syncs all sources at once until this holds, then kills it. */
async function syncUntil(organizationId: string, isReached: () => Promise<boolean>): Promise<void> {
  // As if the leases of the killed process had run out.
  const due = { $set: { next_sync_at: new Date() }, $unset: { lease: 1 as const } };
  await sourceModel(connection).collection.updateMany({}, due);
  const hosts = `${new URL(s3.url).host},127.0.0.1:${imap.port}`;
  const child = spawn(process.execPath, [script, uri, organizationId, folder, hosts], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (child.exitCode === null && !(await isReached())) await sleep(10);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

it(
  'a folder, a bucket and a mailbox bring each file exactly once, however often the process is killed',
  { timeout: 90_000 + kills * 40_000 },
  async () => {
    const organization = await organizationModel(connection).create({
      name: 'Org',
      members: [{ user_id: userId, role: 'admin', joined_at: new Date() }],
      created_at: new Date(),
    });
    const organization_id = organization._id;
    const organizationId = organization_id.toHexString();
    const sources = createSourceRepositories(connection)(organizationId);
    const ids: string[] = [];
    for (const kind of kinds) {
      const connector = secrets.seal(organizationId, await places[kind]());
      ids.push((await sources.create({ name: kind, connector }, userId)).id);
    }
    const documents = documentModel(connection).collection;
    const ofSource = (id: string) => ({ source_id: new mongoose.Types.ObjectId(id) });
    const taken = () => Promise.all(ids.map((id) => documents.countDocuments(ofSource(id))));
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = Math.floor((count * kill) / (kills + 1)) + 1;
      await syncUntil(organizationId, async () => {
        const each = await taken();
        return Math.min(...each) > 0 && Math.max(...each) >= enough;
      });
    }
    // Killed in the middle: no source had taken all, and each had taken some.
    for (const each of await taken()) {
      expect(each).toBeGreaterThan(0);
      expect(each).toBeLessThan(count);
    }
    const syncs = () => Promise.all(ids.map(async (id) => await sources.syncOf(id)));
    await syncUntil(organizationId, async () => (await syncs()).every((sync) => sync?.ended_at != null));
    for (const [at, id] of ids.entries()) {
      expect(await sources.syncOf(id)).toMatchObject({ error: null, counts: { failed: 0 } });
      const names = await documents.distinct('document_name', ofSource(id));
      expect([(await taken())[at], names.length]).toEqual([count, count]);
      const found = kinds[at] === 'imap' ? Math.ceil(count / filesInMail) : count;
      expect(await connection.collection('source_files').countDocuments(ofSource(id))).toBe(found);
    }
    expect(await documents.countDocuments({ organization_id, duplicate_of: { $ne: null } })).toBe(0);
    expect(await connection.collection('tags').countDocuments({ organization_id })).toBe(7);
  },
);
