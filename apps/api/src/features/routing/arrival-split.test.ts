import { buildPdf, line } from '@docwright/documents/testing';
import type { AuditEntry, Document, EventFeed, Route, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { uploadAndRead } from '../../testing/uploads/upload-and-read.ts';

let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
});

const page = (title: string, number: number, of: number, text: string) => ({
  content:
    line(title, 50, 700, 18) +
    text
      .split(' ')
      .map((word, at) => line(word, 50, 660 - at * 15, 10))
      .join('') +
    line(`Page ${number} of ${of}`, 280, 30, 9),
});
const scan = (n: number) =>
  buildPdf({
    pages: [
      page(`Invoice INV-10${n}`, 1, 2, 'Rope and anchors for the harbour in spring at Dover'),
      page('Continued', 2, 2, 'More rope and chains with shackles of steel at Dover'),
      page(`Contract 77${n}`, 1, 1, 'The tenant rents a flat on the second floor from May'),
      page(`Receipt 5${n}`, 1, 1, 'Bread coffee milk total cash change thank you Bakery'),
    ],
  });
const vague = (n: number) =>
  buildPdf({
    pages: ['Weather was calm and grey near the coast', 'Ships came late that day because of fog'].map((text) => ({
      content: `${text} ${n}`
        .split(' ')
        .map((word, at) => line(word, 50, 700 - at * 15, 10))
        .join(''),
    })),
  });

const upload = (name: string, content: string | Uint8Array, more: object = {}) =>
  uploadAndRead(app, client, name, content, more);
const tag = async (name: string) => (await client.post<Tag>('./tags', { name })).body.tag_id;
const route = async (body: object) => (await client.post<Route>('./routes', body)).body;
const read = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;
const parts = async (id: string) =>
  (await client.get<{ documents: Document[] }>('./documents?limit=50')).body.documents
    .filter(({ split_from }) => split_from?.document_id === id)
    .toSorted((a, b) => a.split_from!.pages[0]![0] - b.split_from!.pages[0]![0]);
const routeParts = () =>
  (app.services as unknown as { routing: { routeWaiting(signal: AbortSignal): Promise<void> } }).routing.routeWaiting(
    new AbortController().signal,
  );

it('splits a mixed scan whose boundaries are sure, routes its parts once, and is undone from the audit log', async () => {
  const [mixed, contract] = [await tag('mixed'), await tag('contract')];
  const scans = await route({
    name: 'Scans',
    when: { pages: { min: 3 } },
    then: { tag_ids: [mixed], split: 'apply' },
  });
  const contracts = await route({
    name: 'Contracts',
    when: { text_contains: ['contract'] },
    then: { tag_ids: [contract], split: 'apply' },
  });
  const id = await upload('scan.pdf', scan(1));
  expect((await read(id)).routing).toMatchObject({
    state: 'routed',
    route_ids: [scans.id],
    why: expect.stringContaining('split into 3 documents'),
  });
  await routeParts();
  const found = await parts(id);
  expect(found.map(({ split_from, tag_ids, routing }) => [split_from!.pages, tag_ids, routing?.state])).toEqual([
    [[[1, 2]], [], 'none'],
    [[[3, 3]], [contract], 'routed'],
    [[[4, 4]], [], 'none'],
  ]);
  expect(found[1]!.routing!.route_ids).toEqual([contracts.id]);
  expect(found[1]!.uploaded_by).toBe(client.userId);
  const { body } = await client.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}&tool=split_document`);
  expect(body.entries).toMatchObject([
    { actor: client.organizationId, origin: { kind: 'arrival', route_id: scans.id }, headless: true },
  ]);
  expect((await client.post(`./audit/${body.entries[0]!.id}/undo`)).status).toBe(200);
  expect(await parts(id)).toEqual([]);
});

it('waits for a user where a boundary is not sure, or the route only proposes; their split routes the parts', async () => {
  const contract = await tag('contract');
  await route({
    name: 'Contracts',
    when: { text_contains: ['contract'], pages: { max: 1 } },
    then: { tag_ids: [contract] },
  });
  const scans = await route({ name: 'Scans', when: { pages: { min: 2 } }, then: { split: 'propose' } });
  const id = await upload('scan.pdf', scan(2));
  expect((await read(id)).routing).toMatchObject({ state: 'waiting_split', route_ids: [scans.id] });
  await app.services.relayOutboxes(new AbortController().signal);
  const told = await client.get<EventFeed>('./events?types=document.routed,document.unsure');
  expect(told.body.events.map(({ type, data }) => [type, data['state'], data['route_ids']])).toEqual([
    ['document.routed', 'waiting_split', [scans.id]],
  ]);
  const listed = await client.get<{ documents: Document[] }>('./documents?routing=waiting_split');
  expect(listed.body.documents.map((each) => each.id)).toEqual([id]);
  const { body } = await client.get<{ parts: { name: string; pages: [number, number][] }[] }>(
    `./documents/${id}/split`,
  );
  await client.post(`./documents/${id}/split`, { parts: body.parts.map(({ name, pages }) => ({ name, pages })) });
  expect((await read(id)).routing?.state).toBe('routed');
  await routeParts();
  expect((await parts(id)).map(({ tag_ids }) => tag_ids)).toEqual([[], [contract], []]);

  await client.patch(`./routes/${scans.id}`, { then: { split: 'apply' } });
  const unsure = await upload('vague.pdf', vague(3));
  expect((await read(unsure)).routing?.state).toBe('waiting_split');
  expect(await parts(unsure)).toEqual([]);
});
