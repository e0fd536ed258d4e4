import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { userMessage } from '../../apps/api/src/testing/chat-test-bench.ts';
import type {
  Document,
  Extraction,
  OrganizationUsage,
  Prompt,
  Source,
  SourceSync,
  TurnAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startScriptedTestApp, type ScriptedTestApp } from '../../apps/api/src/testing/test-app.ts';
import { storedBytesOf } from '../../apps/api/src/platform/database/stored-bytes/stored-bytes.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';

let app: ScriptedTestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startScriptedTestApp({ settings: { MAX_STORAGE_MB: '1' } });
});
afterAll(async () => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
});

const limit = 1024 * 1024;
const signal = new AbortController().signal;
const textOf = (kilobytes: number) => randomBytes(kilobytes * 512).toString('hex');
const upload = (text: string, name = 'a.txt') =>
  client.post<{ documents: Document[] }>('./documents', {
    documents: [{ name, content: Buffer.from(text).toString('base64') }],
  });
const stored = async () => {
  const { body } = await client.get<OrganizationUsage>('./usage');
  expect(body.stored_bytes_limit).toBe(limit);
  return body.stored_bytes;
};
const refusal = ({ status, error }: { status: number; error?: { code: string } | undefined }) => [status, error?.code];
const full = [507, 'storage_limit_reached'];
let tagCount = 0;
/** Fills the organization up to the limit. */
async function fill() {
  const ids: string[] = [];
  for (let kilobytes = 512; kilobytes >= 1;) {
    const { status, body } = await upload(textOf(kilobytes));
    if (status === 201) ids.push(body.documents[0]!.id);
    else kilobytes = Math.floor(kilobytes / 2);
  }
  // The rest is less than a kilobyte: writes are counted, too, until nothing is left.
  while ((await client.post('./tags', { name: `tag ${(tagCount += 1)}` })).status === 201);
  return ids;
}

it('counts files, pages, versions of results and other records, and gives back what is removed for good', async () => {
  expect(await stored()).toBe(0);
  const { body } = await upload(`Total: 5\n${textOf(50)}`);
  const { id } = body.documents[0]!;
  const file = await stored();
  expect(file).toBeGreaterThan(50 * 1024);
  await app.services.documents.textReading.readAll(signal);
  const read = await stored();
  expect(read).toBeGreaterThan(file + 50 * 1024);
  const { prompt_revid } = (await client.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  app.script({ text: JSON.stringify({ total: '5', note: textOf(20) }) });
  await client.post(`./documents/${id}/extractions`, { prompt_revid });
  const extracted = await stored();
  expect(extracted).toBeGreaterThan(read + 20 * 1024);
  const url = `./documents/${id}/extractions/${prompt_revid}`;
  await client.patch<Extraction>(url, { path: 'total', value: '6', base_version: 1 });
  expect(await stored()).toBeGreaterThan(extracted + 20 * 1024);
  const edited = await stored();
  // What stands already makes no version.
  await client.patch<Extraction>(url, { path: 'total', value: '6', base_version: 2 });
  expect(await stored()).toBeLessThan(edited + 2_000);

  await client.delete(`./documents/${id}`);
  expect(await stored()).toBeGreaterThan(edited);
  await client.delete(`./documents/trash/${id}`);
  // The audit log and the notes for undo stay.
  expect(await stored()).toBeLessThan(10_000);
});

it('refuses uploads and other writes at the limit, and never removing, undoing, reading and administration', async () => {
  const ids = await fill();
  const refused = await upload(textOf(1));
  expect(refusal(refused)).toEqual(full);
  expect(refused.error?.message).toMatch(/^The organization stores .* of 1 MB.*empty the trash.*MAX_STORAGE_MB/u);
  for (const answer of [
    await client.post('./tags', { name: 'one more' }),
    await client.patch(`./documents/${ids[0]}`, { document_name: 'b.txt' }),
    await client.post('./prompts', { name: 'p', content: 'Total?' }),
    await client.post(`./documents/${ids[0]}/chat`, userMessage('Hi')),
    await client.post('./runs', { prompt_id: ids[0], document_ids: ids }),
  ])
    expect(refusal(answer)).toEqual(full);
  expect((await client.get('./documents')).status).toBe(200);
  expect((await client.put('./budget', { spu_limit: null, period: 'total' })).status).toBe(200);
  expect((await client.post('./members', { email: 'a@mail.example', role: 'member' })).status).toBe(201);
  expect((await client.delete(`./documents/${ids[0]}`)).status).toBe(204);
  expect((await client.post('./documents/bulk', { action: 'delete', document_ids: ids.slice(1) })).status).toBeLessThan(
    300,
  );
  expect((await client.delete(`./documents/trash/${ids[0]}`)).status).toBe(204);
  expect((await upload(textOf(1))).status).toBe(201);
  // Another organization has its own limit.
  client = await app.addOrganization();
  expect((await upload(textOf(1))).status).toBe(201);
});

it('lets no uploads at once exceed the limit together', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(textOf(300))));
  const taken = answers.filter(({ status }) => status === 201).length;
  expect(taken).toBeLessThanOrEqual(3);
  for (const answer of answers) if (answer.status !== 201) expect(refusal(answer)).toEqual(full);
  expect(await stored()).toBeLessThan(limit + 50_000);
  const { body } = await client.get<{ documents: Document[] }>('./documents');
  expect(body.documents).toHaveLength(taken);
});

it('leaves files of a source where they are, says why, and takes them once there is room', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'inlet-'));
  const folder = path.join(root, client.organizationId);
  await mkdir(folder);
  app.services.settings.inletDirs.set(client.organizationId, [folder]);
  const headers = { headers: { 'x-org-id': client.organizationId } };
  try {
    const ids = await fill();
    await writeFile(path.join(folder, 'a.txt'), textOf(100));
    await writeFile(path.join(folder, 'b.txt'), textOf(100));
    // A source from before: at the limit no source is made.
    await client.delete(`./documents/${ids.at(-1)}`);
    await client.delete(`./documents/trash/${ids.at(-1)}`);
    const config = { path: folder, settle_seconds: 0, afterwards: { do: 'delete' } };
    const payload = { name: 'Inlet', connector: { kind: 'folder', config } };
    const { body: source } = await client.request<Source>('POST', '/api/v2/sources', { payload, ...headers });
    await fill();
    const sync = async () => {
      await app.connection.collection('sources').updateMany({}, { $set: { next_sync_at: new Date(0) } });
      await app.services.syncSources(signal);
      return (await client.request<SourceSync>('GET', `/api/v2/sources/${source.id}/sync`, headers)).body;
    };
    const stopped = await sync();
    expect(stopped.error).toMatchObject({ code: 'storage_limit_reached' });
    expect(stopped.error?.message).toContain('Delete documents and empty the trash');
    expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'b.txt']);
    await client.delete(`./documents/${ids[0]}`);
    await client.delete(`./documents/trash/${ids[0]}`);
    expect(await sync()).toMatchObject({ error: null, counts: { taken: 2, failed: 0 } });
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});

it('refuses writes of the agent, which the model and the user learn', async () => {
  const { body } = await upload('Total: 5');
  const { id } = body.documents[0]!;
  await app.services.documents.textReading.readAll(signal);
  app.script(
    () => {
      storedBytesOf(app.connection).add(client.organizationId, 'audit', limit);
      return { calls: [{ name: 'create_tag', args: { name: 'of the agent' } }] };
    },
    { text: 'It is full.' },
  );
  const turn = await client.post<TurnAnswer>(`./documents/${id}/chat`, {
    ...userMessage('Make a tag'),
    auto_approved_tools: ['create_tag'],
  });
  const [call] = turn.body.executed_rounds.flatMap((round) => round.tool_calls);
  expect(call).toMatchObject({ name: 'create_tag', success: false });
  expect(call?.error).toContain('Delete documents and empty the trash');
});
