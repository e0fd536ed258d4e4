import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Document, Source, SourceSync } from '@docwright/contract';
import { archive } from '@docwright/documents/testing/office-file';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startImapServer, type ImapServer } from './testing/imap-server.ts';
import { startTokenServer, type TokenServer } from './testing/token-server.ts';
import { writeMail } from './testing/written-mail.ts';

let app: TestApp;
let imap: ImapServer;
let tokens: TokenServer;
let client: TestClient;
let folder: string;
beforeAll(async () => {
  imap = await startImapServer();
  tokens = await startTokenServer(imap.accessTokens);
  const hosts = `127.0.0.1:${imap.port},${new URL(tokens.url).host}`;
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: hosts } });
});
afterAll(async () => {
  await app.stop();
  imap.stop();
  tokens.stop();
});
beforeEach(async () => {
  client = await app.addOrganization();
  folder = await mkdtemp(path.join(tmpdir(), 'mails-'));
  await mkdir(folder, { recursive: true });
  app.services.settings.inletDirs.set(client.organizationId, [folder]);
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
  imap.mails.clear();
  return async () => rm(folder, { recursive: true });
});

const header = () => ({ headers: { 'x-org-id': client.organizationId } });
const ask = <Body>(method: 'GET' | 'POST' | 'PATCH', route: string, payload?: object) =>
  client.request<Body>(method, `/api/v2/sources${route}`, { ...(payload && { payload }), ...header() });
const mailConnector = (more: object = {}, secret = imap.password, others: object = {}) => ({
  kind: 'imap',
  config: { host: '127.0.0.1', port: imap.port, tls: 'none', user: 'inbox@example.com', ...more },
  secret,
  ...others,
});
const make = async (connector: object) => await ask<Source>('POST', '', { name: 'Mails', connector });
async function sync({ id }: Source): Promise<SourceSync> {
  await ask('POST', `/${id}/sync`);
  await app.services.syncSources(new AbortController().signal);
  return (await ask<SourceSync>('GET', `/${id}/sync`)).body;
}
const documents = async () =>
  (await client.get<{ documents: Document[] }>('./documents?sort=document_name&limit=100')).body.documents;
const mail = (id: string, text: string) => writeMail({ id, parts: [{ name: `${id}.txt`, bytes: text }] });

it('takes each mail once, also when the folder is numbered anew', async () => {
  imap.mails.set(1, mail('one', 'First')).set(2, mail('two', 'Second'));
  const { body: source } = await make(mailConnector());
  expect((await sync(source)).counts).toMatchObject({ seen: 2, taken: 2, failed: 0 });
  imap.commands.length = 0;
  expect((await sync(source)).counts).toMatchObject({ unchanged: 2, taken: 0 });
  // An unchanged mail is not read again.
  expect(imap.commands.filter((command) => command.includes('FETCH'))).toEqual([]);
  imap.uidValidity += 1;
  expect((await sync(source)).counts).toMatchObject({ seen: 2, taken: 0 });
  const found = await documents();
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject({
    document_name: 'one.txt',
    metadata: { sender: 'Ann Smith <ann@example.com>', subject: 'Invoice', message_id: '<one>' },
  });
  expect(found.map(({ missing_since }) => missing_since)).toEqual([undefined, undefined]);
});

it('a mail that moves between two syncs is the same document, and two syncs at once take it once', async () => {
  imap.mails.set(1, mail('moving', 'First'));
  const { body: source } = await make(mailConnector());
  const { signal } = new AbortController();
  await Promise.all([app.services.syncSources(signal), app.services.syncSources(signal)]);
  imap.mails.set(9, imap.mails.get(1) ?? '').delete(1);
  expect((await sync(source)).counts).toMatchObject({ seen: 1, taken: 0, missing: 1 });
  const found = await documents();
  expect(found).toHaveLength(1);
  expect(found[0]!.missing_since).toBeUndefined();
});

it('the same bytes by mail and in a folder are one document and its duplicate', async () => {
  imap.mails.set(1, mail('same', 'Same'));
  await writeFile(path.join(folder, 'same.txt'), 'Same');
  await sync((await make(mailConnector())).body);
  await sync((await make({ kind: 'folder', config: { path: folder, settle_seconds: 0 } })).body);
  expect((await documents()).filter(({ duplicate_of }) => duplicate_of !== undefined)).toHaveLength(1);
});

it('signs in with OAuth, keeps the refresh token that replaces the former one, and says when it is revoked', async () => {
  imap.mails.set(1, mail('oauth', 'First'));
  tokens.refreshTokens.add('the-first-refresh-token');
  const oauth = { provider: 'other', client_id: 'docwright', token_url: tokens.url, scope: 'mail' };
  const clientSecret = { client_secret: 'the-secret-of-the-client' };
  const connector = mailConnector({ oauth }, 'the-first-refresh-token', clientSecret);
  const { body: source, status } = await make(connector);
  expect(status).toBe(201);
  expect(JSON.stringify(source)).not.toContain('the-first-refresh-token');
  // Each use replaces the token; a test of the stored connector does so too.
  expect((await ask('POST', '/test', { connector: source.connector, source_id: source.id })).status).toBe(200);
  for (let count = 0; count < 3; count += 1) expect(await sync(source)).toMatchObject({ error: null });
  expect(Object.fromEntries(tokens.bodies.at(-1)!)).toMatchObject({ scope: 'mail', ...clientSecret });
  expect(await documents()).toHaveLength(1);
  tokens.refreshTokens.clear();
  for (let count = 0; count < 3; count += 1) await sync(source);
  const { body: failing } = await ask<SourceSync>('GET', `/${source.id}/sync`);
  expect(failing).toMatchObject({ state: 'failing', error: { code: 'source_refused' } });
  expect(failing.error!.message).toContain('invalid_grant');
  tokens.refreshTokens.add('another-refresh-token');
  const renewed = mailConnector({ oauth }, 'another-refresh-token');
  expect((await ask('PATCH', `/${source.id}`, { connector: renewed })).status).toBe(200);
  expect(await sync(source)).toMatchObject({ state: 'waiting', error: null });
  expect(Object.fromEntries(tokens.bodies.at(-1)!)).toMatchObject(clientSecret);
});

it('needs a secret, and sends it to no other mail server', async () => {
  const { secret: _, ...without } = mailConnector();
  expect((await make(without)).error?.code).toBe('secret_needed');
  expect((await make(mailConnector({}, 'wrong'))).error?.code).toBe('source_refused');
  const { body: source } = await make(mailConnector());
  const elsewhere = { ...without, config: { ...without.config, host: 'mail.example.com' } };
  expect((await ask('PATCH', `/${source.id}`, { connector: elsewhere })).error?.code).toBe('secret_needed');
});

it('a mail that cannot be read stops no other mail of its mailbox', async () => {
  let nested = 'Content-Type: text/plain\r\n\r\nHello\r\n';
  for (let depth = 0; depth < 500; depth += 1) {
    nested = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested}\r\n--b${depth}--\r\n`;
  }
  imap.mails.set(1, nested).set(2, mail('good', 'Good'));
  const { body: source } = await make(mailConnector());
  expect(await sync(source)).toMatchObject({
    counts: { seen: 2, taken: 1, failed: 1 },
    errors: [{ code: 'damaged_file' }],
  });
});

it('a mail that is larger than the server said is skipped with its reason, and the others are taken', async () => {
  imap.mails
    .set(1, mail('first', 'First'))
    .set(2, mail('large', 'x'.repeat(3_000_000)))
    .set(3, mail('last', 'Last'));
  imap.toldSizes.set(2, 1_000);
  const { body: source } = await make(mailConnector({ max_mb: 1 }));
  const ended = await sync(source);
  imap.toldSizes.clear();
  expect(ended).toMatchObject({ state: 'waiting', error: null, counts: { seen: 3, taken: 2, failed: 1 } });
  expect(ended.errors).toMatchObject([
    { file: `inbox@example.com/INBOX/${imap.uidValidity}/2`, code: 'file_too_large' },
  ]);
});

it.each(['refuses', 'ends'] as const)(
  'a mail for which the server %s stops no other mail of its mailbox',
  async (failure) => {
    imap.mails.set(1, mail('first', 'First')).set(2, mail('broken', 'Broken')).set(3, mail('last', 'Last'));
    imap.failing.set(2, failure);
    const { body: source } = await make(mailConnector());
    const ended = await sync(source);
    imap.failing.clear();
    expect(ended).toMatchObject({ state: 'waiting', error: null, counts: { seen: 3, taken: 2, failed: 1 } });
    expect(ended.errors).toMatchObject([{ file: `inbox@example.com/INBOX/${imap.uidValidity}/2` }]);
    expect((await sync(source)).counts).toMatchObject({ taken: 1, unchanged: 2 });
  },
);

it('a mail of very many parts stops no other mail where mails with attachments are chosen', async () => {
  const part = '("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "BASE64" 5 NIL ("ATTACHMENT" NIL) NIL)';
  imap.mails.set(1, mail('first', 'First')).set(2, mail('many', 'Many')).set(3, mail('last', 'Last'));
  for (const uid of [1, 3]) imap.structures.set(uid, `(${part} "MIXED")`);
  imap.structures.set(2, `(${part.repeat(20_000)} "MIXED")`);
  const { body: source } = await make(mailConnector({ filter: { has_attachment: true } }));
  const ended = await sync(source);
  imap.structures.clear();
  expect(ended).toMatchObject({ state: 'waiting', error: null });
  expect(ended.counts.taken).toBeGreaterThanOrEqual(2);
});

it('opens archives and the mails and archives inside of them, and takes what max_files and max_mb allow', async () => {
  const text = (name: string, length = 10) => ({ [name]: Buffer.from(name.padEnd(length, '.')) });
  const inner = archive({ ...text('inner.txt') });
  const nested = mail('nested', 'Of the nested mail');
  const zip = archive({ ...text('folder/one.txt'), 'inner.zip': inner, 'nested.eml': Buffer.from(nested) });
  const signed = Buffer.from(
    '303306092a864886f70d010702a02630240201013100301b06092a864886f70d010701a00e040c5369676e6564206e6f74652e3100',
    'hex',
  );
  const parts = [
    { type: 'application/zip', name: 'all.zip', bytes: zip },
    { type: 'application/octet-stream', name: 'note.txt.p7m', bytes: signed },
  ];
  imap.mails.set(1, writeMail({ id: 'zip', parts }));
  await sync((await make(mailConnector())).body);
  const names = (await documents()).map(({ document_name }) => document_name);
  expect(names.toSorted()).toEqual(['inner.txt', 'nested.eml', 'nested.txt', 'one.txt', 'signed.txt']);
  const eight = Array.from({ length: 8 }, (_, at) => Object.entries(text(`${at}.txt`, 300_000))[0]!);
  const many = archive(Object.fromEntries(eight));
  imap.mails.clear();
  imap.mails.set(2, writeMail({ id: 'many', parts: [{ type: 'application/zip', name: 'many.zip', bytes: many }] }));
  const few = await sync((await make(mailConnector({ max_files: 3 }))).body);
  expect(few).toMatchObject({ counts: { taken: 3 }, errors: [{ code: 'file_too_large' }] });
  const small = await sync((await make(mailConnector({ max_mb: 1, max_files: 50, user: 'other@example.com' }))).body);
  expect(small).toMatchObject({ counts: { taken: 0 }, errors: [{ code: 'file_too_large' }] });
  imap.mails.clear();
  const both = archive({ ...text('beside.txt'), 'many.zip': many });
  imap.mails.set(3, writeMail({ id: 'both', parts: [{ type: 'application/zip', name: 'both.zip', bytes: both }] }));
  const some = await sync((await make(mailConnector({ max_mb: 1, max_files: 50, user: 'third@example.com' }))).body);
  expect(some).toMatchObject({ counts: { taken: 1 }, errors: [{ code: 'file_too_large' }] });
});
