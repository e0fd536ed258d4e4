import type { Document, EventFeed, Route, RouteSimulation, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { uploadAndRead } from '../../testing/uploads/upload-and-read.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import { judgeRoutes } from './judgement.ts';

let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
});

const upload = (name: string, content: string | Uint8Array, more: object = {}) =>
  uploadAndRead(app, client, name, content, more);
const tag = async (name: string) => (await client.post<Tag>('./tags', { name })).body.tag_id;
const route = async (body: object) => (await client.post<Route>('./routes', body)).body;
const read = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;

it('gives a document what the first route gives that fits, once its text is ready', async () => {
  const invoice = await tag('invoice');
  const rest = await tag('rest');
  const own = await tag('own');
  const first = await route({
    name: 'Invoices',
    when: { text_contains: ['invoice', 'Total due'], name_matches: '(?i)\\.txt$', pages: { max: 3 } },
    then: {
      tag_ids: [invoice],
      metadata: { kind: 'invoice', cost: 1 },
      name: '{date} {original}',
      never_to_model: true,
    },
  });
  const last = await route({ name: 'Rest', when: {}, then: { tag_ids: [rest] } });
  const id = await upload('a.TXT', 'INVOICE 7\nTotal   due: 5', { tag_ids: [own], metadata: { cost: 2 } });
  const document = await read(id);
  expect(document).toMatchObject({
    document_name: `${document.upload_date.slice(0, 10)} a.TXT`,
    tag_ids: [own, invoice],
    metadata: { kind: 'invoice', cost: 2 },
    never_to_model: true,
    routing: { state: 'routed', route_ids: [first.id], by: 'rule', why: expect.stringContaining('“Total due”') },
  });
  // A word inside of a longer one does not count.
  expect((await read(await upload('b.txt', 'Invoices, total due'))).routing?.route_ids).toEqual([last.id]);
});

it('adds up what routes give that do not stop, in their order, and notes when none fits', async () => {
  const [one, two] = [await tag('one'), await tag('two')];
  const b = await route({
    name: 'B',
    when: { mime_types: ['text/plain'] },
    then: { tag_ids: [two], metadata: { by: 'b' } },
  });
  const a = await route({
    name: 'A',
    when: { metadata: { from: '^acme' } },
    then: { tag_ids: [one], metadata: { by: 'a' } },
    stop: false,
  });
  await client.post('./routes/order', { ids: [a.id, b.id] });
  const both = await read(await upload('x.txt', 'x', { metadata: { from: 'acme ltd' } }));
  expect(both).toMatchObject({ tag_ids: [one, two], metadata: { by: 'a' }, routing: { route_ids: [a.id, b.id] } });
  const none = await upload('x.csv', 'a;b\n1;2');
  expect((await read(none)).routing).toMatchObject({ state: 'none', route_ids: [] });
  const listed = await client.get<{ documents: Document[]; total_count: number }>('./documents?routing=none');
  expect(listed.body.documents.map(({ id }) => id)).toEqual([none]);
});

it('a user decides, and what the former route gave goes', async () => {
  const [wrong, right, own] = [await tag('wrong'), await tag('right'), await tag('own')];
  await route({ name: 'Wrong', when: {}, then: { tag_ids: [wrong] } });
  const better = await route({
    name: 'Right',
    when: { name_matches: 'never' },
    then: { tag_ids: [right] },
    enabled: false,
  });
  const id = await upload('a.txt', 'a', { tag_ids: [own] });
  const { body } = await client.patch<Document>(`./documents/${id}/routing`, { route_id: better.id });
  expect(body).toMatchObject({
    tag_ids: [own, right],
    routing: { state: 'routed', route_ids: [better.id], by: 'user' },
  });
  const { body: log } = await client.get<{ entries: { id: string }[] }>(
    `./audit?document_id=${id}&tool=update_document`,
  );
  expect((await client.post(`./audit/${log.entries[0]!.id}/undo`)).status).toBe(200);
  expect(await read(id)).toMatchObject({ tag_ids: [own, wrong], routing: { state: 'routed', by: 'rule' } });
  await client.patch(`./documents/${id}/routing`, { route_id: better.id });
  const nowhere = await client.patch<Document>(`./documents/${id}/routing`, { route_id: null });
  expect(nowhere.body).toMatchObject({ tag_ids: [own], routing: { state: 'none', by: 'user' } });
  const viewer = await app.addUser('viewer', client.organizationId);
  expect((await viewer.patch(`./documents/${id}/routing`, { route_id: null })).error?.code).toBe('viewer_cannot_write');
});

it('tells of a document that a route or a user took, and of none that no route fits', async () => {
  const first = await route({ name: 'First', when: { name_matches: '^a' }, then: {} });
  const other = await route({ name: 'Other', when: { name_matches: 'never' }, then: {} });
  const taken = await upload('a.txt', 'a');
  const none = await upload('b.txt', 'b');
  const told = async () => {
    await app.services.relayOutboxes(new AbortController().signal);
    const { body } = await client.get<EventFeed>('./events?types=document.routed,document.unsure');
    return body.events.map(({ type, data }) => [type, data]);
  };
  const routed = (document_id: string, document_name: string, route_ids: string[], by: string) => [
    'document.routed',
    { document_id, document_name, state: 'routed', route_ids, by },
  ];
  expect(await told()).toEqual([routed(taken, 'a.txt', [first.id], 'rule')]);
  await client.patch(`./documents/${none}/routing`, { route_id: other.id });
  await client.patch(`./documents/${taken}/routing`, { route_id: null });
  expect(await told()).toEqual([routed(taken, 'a.txt', [first.id], 'rule'), routed(none, 'b.txt', [other.id], 'user')]);
});

it('the decision of a user is undone by its audit entry, also that no route takes the document', async () => {
  const first = await route({ name: 'First', when: { name_matches: '^a' }, then: {} });
  const id = await upload('a.txt', 'a');
  const routing = async () => (await client.get<Document>(`./documents/${id}`)).body.routing;
  expect(await routing()).toMatchObject({ state: 'routed', route_ids: [first.id] });
  expect((await client.patch(`./documents/${id}/routing`, { route_id: null })).status).toBe(200);
  expect(await routing()).toMatchObject({ state: 'none', by: 'user' });
  const { body } = await client.get<{ entries: { id: string }[] }>(
    `./audit?document_id=${id}&tool=update_document&limit=1`,
  );
  expect((await client.post(`./audit/${body.entries[0]!.id}/undo`)).status).toBe(200);
  expect(await routing()).toMatchObject({ state: 'routed', route_ids: [first.id], by: 'rule' });
});

it('is for admins, and refuses what cannot be judged', async () => {
  const member = await app.addUser('member', client.organizationId);
  const body = { name: 'r', when: {}, then: {} };
  const answer = await member.post('./routes', body);
  expect(answer.error?.code, answer.text).toBe('admin_required');
  expect((await client.post('./routes', { ...body, when: { name_matches: '(?=a)' } })).error?.code).toBe(
    'invalid_pattern',
  );
  expect((await client.post('./routes', { ...body, then: { tag_ids: ['0'.repeat(24)] } })).error?.code).toBe(
    'unknown_reference',
  );
  expect((await client.post('./routes', { ...body, when: { name_machtes: 'a' } })).status).toBe(422);
  const { id } = await route(body);
  expect((await client.post('./routes/order', { ids: [] })).error?.code).toBe('routes_incomplete');
  const stranger = await app.addOrganization();
  expect((await stranger.get(`./routes/${id}`)).status).toBe(404);
});

it('a document whose process died after its text was read is routed later, once', async () => {
  const { id: routeId } = await route({ name: 'All', when: {}, then: { metadata: { routed: true } } });
  const id = await upload('a.txt', 'a');
  await documentModel(app.connection).updateOne(
    { _id: id },
    { $set: { routing_due: true, metadata: {} }, $unset: { routing: 1 } },
  );
  const { routing } = app.services as unknown as { routing: { routeWaiting(signal: AbortSignal): Promise<void> } };
  const { signal } = new AbortController();
  await Promise.all([routing.routeWaiting(signal), routing.routeWaiting(signal)]);
  expect(await read(id)).toMatchObject({ metadata: { routed: true }, routing: { route_ids: [routeId] } });
});

it('a damaged document that waits for its route holds up no other', async () => {
  const { id: routeId } = await route({ name: 'All', when: {}, then: { metadata: { routed: true } } });
  const damaged = await upload('a.txt', 'a');
  const sound = await upload('b.txt', 'b');
  const documents = documentModel(app.connection).collection;
  const waiting = { $set: { routing_due: true, metadata: {} }, $unset: { routing: 1 } } as const;
  await documents.updateMany({ _id: { $in: objectIdsOf([damaged, sound]) } }, waiting);
  await documents.updateOne({ _id: objectIdOf(damaged)! }, { $set: { upload_date: null } });
  const { routing } = app.services as unknown as { routing: { routeWaiting(signal: AbortSignal): Promise<void> } };
  await routing.routeWaiting(new AbortController().signal);
  expect(await read(sound)).toMatchObject({ routing: { route_ids: [routeId] } });
  await documents.deleteOne({ _id: objectIdOf(damaged)! });
});

it('shows where documents would go by routes that are not saved, against the tags they have', async () => {
  const [a, b] = [await tag('a'), await tag('b')];
  await upload('1.txt', 'alpha', { tag_ids: [a] });
  await upload('2.txt', 'alpha', { tag_ids: [b] });
  await upload('3.txt', 'other', { tag_ids: [b] });
  const routes = [{ name: 'Alpha', when: { text_contains: ['alpha'] }, then: { tag_ids: [a] } }];
  const { body } = await client.post<RouteSimulation>('./routes/simulate', { routes });
  expect(body.documents.map(({ document_name, state }) => `${document_name} ${state}`).toSorted()).toEqual([
    '1.txt routed',
    '2.txt routed',
    '3.txt none',
  ]);
  expect(body.confusion).toHaveLength(3);
  expect(body.confusion).toContainEqual({ tag_ids: [b], routed_tag_ids: [a], count: 1 });
  expect((await client.get<{ total_count: number }>('./routes')).body.total_count).toBe(0);
});

it('refuses a body that names what does not exist', async () => {
  const missing = 'a'.repeat(24);
  const id = await upload('a.txt', 'alpha');
  const then = { tag_ids: [] };
  for (const body of [
    { name: 'A', when: { source_id: missing }, then },
    { name: 'A', when: { like: { prompt_id: missing } }, then },
    { name: 'A', when: {}, then: { tag_ids: [missing] } },
  ])
    expect(await client.post('./routes', body)).toMatchObject(unknownReference);
  for (const body of [{ document_ids: [missing] }, { filter: { tag_ids: [missing] } }])
    expect(await client.post('./routes/simulate', body)).toMatchObject(unknownReference);
  expect(await client.patch(`./documents/${id}/routing`, { route_id: missing })).toMatchObject(unknownReference);
});

const unknownReference = { status: 400, body: { error: { code: 'unknown_reference' } } };

it('judges fifty routes of rules in less than a millisecond a document', () => {
  const routes = Array.from({ length: 50 }, (_, at) => ({
    name: `r${at}`,
    when: { name_matches: `^never-${at}`, text_contains: [`word${at}x`, 'total due'] },
    then: {},
    stop: true,
    trust: false,
    min_confidence: 0.9,
    enabled: true,
  }));
  const more = routes.map((one) => ({ ...one, when: { text_contains: one.when.text_contains } }));
  const document = {
    document_name: 'a.pdf',
    mime_type: 'application/pdf',
    page_count: 3,
    metadata: {},
    upload_date: '2026-01-01T00:00:00Z',
  };
  const text = 'The total due of this page is five. '.repeat(250);
  const judge = () => judgeRoutes([...routes.slice(0, 25), ...more.slice(0, 25)], { document, text });
  for (let warm = 0; warm < 50; warm += 1) judge();
  const startedAt = performance.now();
  for (let count = 0; count < 200; count += 1) judge();
  const each = (performance.now() - startedAt) / 200;
  console.info(`routing by 50 routes takes ${each.toFixed(3)} ms a document of ${text.length} characters`);
  // Ten times the aim, because tests share their processors.
  expect(each).toBeLessThan(10);
});
