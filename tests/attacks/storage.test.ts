import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReadiness } from '../../apps/api/src/platform/http/readiness.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { startServer, type KillableServer } from '../faults/killable-server.ts';

const marker = 'Geheimtext4711';

describe('a full disk', () => {
  let harness: TestApp;
  beforeAll(async () => {
    harness = await startTestApp();
  });
  afterAll(async () => harness.stop());

  it('answers 507 to writes, allows reads, and delays pending work', async () => {
    const content = Buffer.from('Total: 5').toString('base64');
    const body = { documents: [{ name: 'a.txt', content }] };
    const { documents } = (await harness.admin.post<{ documents: [{ id: string }] }>('./documents', body)).body;
    const state = async () => (await harness.admin.get<{ state: string }>(`./documents/${documents[0].id}`)).body.state;
    const full = async () => {
      throw new mongoose.mongo.MongoServerError({ message: 'database or disk is full', code: 14_031 });
    };
    const { prototype } = mongoose.mongo.Collection;
    const writes = ['insertOne', 'insertMany', 'updateOne', 'updateMany', 'findOneAndUpdate', 'bulkWrite'] as const;
    const spies = writes.map((write) => vi.spyOn(prototype, write).mockImplementation(full));
    try {
      const refused = await harness.admin.post('./tags', { name: 'x' });
      expect([refused.status, refused.error?.code]).toEqual([507, 'disk_full']);
      expect((await harness.admin.post('./documents', body)).status).toBe(507);
      await harness.services.documents.textReading.readAll(new AbortController().signal).catch(() => undefined);
      expect((await harness.admin.get('./documents')).body).toMatchObject({ total_count: 1 });
      // The document is not marked as failed.
      expect(['uploaded', 'ocr_processing']).toContain(await state());
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    await harness.services.documents.textReading.readAll(new AbortController().signal);
    expect(await state()).toBe('ocr_completed');
  });

  it('refuses what would take the last space, and lets deletions and sign-ins pass', async () => {
    const readiness = createReadiness([]);
    const app = await startTestApp({ readiness });
    try {
      const content = Buffer.from('Total: 5').toString('base64');
      const body = { documents: [{ name: 'a.txt', content }] };
      const { documents } = (await app.admin.post<{ documents: [{ id: string }] }>('./documents', body)).body;
      const tag = await app.admin.post<{ tag_id: string }>('./tags', { name: 'x' });
      readiness.down('disk');
      for (const refused of [
        await app.admin.post('./documents', body),
        await app.admin.post('./tags', { name: 'y' }),
        await app.admin.patch(`./documents/${documents[0].id}`, { document_name: 'b.txt' }),
      ])
        expect([refused.status, refused.error?.code]).toEqual([507, 'disk_full']);
      expect((await app.admin.post('/v0/auth/login', { email: 'nobody@mail.example', password: 'wrong' })).status).toBe(
        401,
      );
      expect((await app.admin.delete(`./tags/${tag.body.tag_id}`)).status).toBe(204);
      expect((await app.admin.delete(`./documents/${documents[0].id}`)).status).toBeLessThan(300);
      expect((await app.admin.delete(`./documents/trash/${documents[0].id}`)).status).toBeLessThan(300);
      expect((await app.admin.get('./documents')).body).toMatchObject({ total_count: 0 });
      readiness.up('disk');
      expect((await app.admin.post('./tags', { name: 'y' })).status).toBe(201);
    } finally {
      await app.stop();
    }
  });
});

describe('the embedded database', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'attacked-storage-'));
  let server: KillableServer | undefined;
  afterAll(async () => {
    await server?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('restarts after a kill, with 503 for requests meanwhile, and overwrites permanently deleted data', async () => {
    server = await startServer({ DATA_DIR: dataDir });
    const { url, link } = server;
    const entered = await fetch(link, { redirect: 'manual' });
    const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '', origin: url };
    const me = (await (await fetch(`${url}/v0/me`, { headers })).json()) as { organizations: [{ id: string }] };
    const documents = `${url}/v0/orgs/${me.organizations[0].id}/documents`;
    const form = new FormData();
    form.append('files', new Blob([`${marker} Total: 5`]), 'a.txt');
    const uploaded = await fetch(documents, { method: 'POST', headers, body: form });
    const { id } = ((await uploaded.json()) as { documents: [{ id: string }] }).documents[0];
    const read = async () =>
      ((await (await fetch(`${documents}/${id}`, { headers })).json()) as { state: string }).state;
    await expect.poll(read).toBe('ocr_completed');

    const guest = await startEmbeddedMongo({ dataDir });
    const { pid } = guest;
    const statuses = new Set<number>();
    const isOver = new AbortController();
    const asking = (async () => {
      while (!isOver.signal.aborted) {
        statuses.add((await fetch(documents, { headers })).status);
        await sleep(10);
      }
    })();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => guest.pid).not.toBe(pid);
    await expect.poll(async () => (await fetch(documents, { headers })).status).toBe(200);
    isOver.abort();
    await asking;
    await guest.stop();
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

    const deletions = [`${documents}/${id}`, `${documents}/trash/${id}`];
    for (const each of deletions) expect((await fetch(each, { method: 'DELETE', headers })).status).toBe(204);
    await server.end();
    // Either process may have restarted the database. Its files are final when it has ended.
    await guest.exited;
    const files = readdirSync(dataDir).filter((name) => name.includes('sqlite'));
    expect(files).toContain('database.sqlite');
    for (const name of files)
      expect([name, readFileSync(path.join(dataDir, name)).includes(marker)]).toEqual([name, false]);
  });

  it('does not start on a damaged file, and names the cure', async () => {
    const file = path.join(dataDir, 'database.sqlite');
    const bytes = readFileSync(file);
    // Overwrites pages after the catalogue, like a failing disk.
    for (let page = 8; page < 40; page++) bytes.fill(0xa5, page * 8192, page * 8192 + 4096);
    writeFileSync(file, bytes);
    await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(/is damaged: .*backup/u);
  });
});
