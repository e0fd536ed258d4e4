import { setTimeout as sleep } from 'node:timers/promises';
import { startDemoModel, type DemoModel } from '@docwright/demo-model';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { watchWrites } from '../../apps/api/src/platform/database/watch-writes.ts';
import { features } from '../../apps/api/src/process/features.ts';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';
import { fieldsOf, furnish, type Things } from '../faults/bad-input/furnished-product.ts';
import { plausibleBodies } from '../faults/bad-input/odd-requests.ts';
import { operationsOf, type OpenApiDocument, type Operation } from '../faults/bad-input/operations.ts';
import { createSender, type ReceivedAnswer, type Sender } from '../faults/bad-input/send-request.ts';

/**
 * Calls every route of the OpenAPI document without the right to it: as an admin of another organization, as a viewer, and
 * with a read-only access token. New routes are included automatically.
 */
const mark = 'Geheim4711';
let demo: DemoModel;
let app: TestApp;
let stopWatching: () => void;
let sender: Sender;
let operations: Operation[];
/** The victim. */
let owner: TestClient;
let things: Things;
/** The admin of another organization with one object of each kind. */
let stranger: TestClient;
let own: Things;

beforeAll(async () => {
  demo = await startDemoModel();
  app = await startTestApp({ llmEndpoint: { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined } });
  // As in a server, so that events are announced at once and not with the sweep.
  stopWatching = watchWrites(app.connection, app.services.jobs.wakeOnWrites(features.jobs(app.services)));
  await startJobs(app.services);
  owner = app.admin;
  stranger = await app.addOrganization();
  [things, own] = await Promise.all([furnishFully(owner, mark), furnishFully(stranger, 'INV-7')]);
  sender = createSender(app.address);
  const { text } = await sender.send({ method: 'GET', path: '/docs/json', headers: {} });
  operations = operationsOf(JSON.parse(text) as OpenApiDocument);
});
afterAll(async () => {
  sender.close();
  stopWatching();
  await app.stop();
  await demo.close();
});

async function furnishFully(client: TestClient, marked: string): Promise<Things> {
  const furnished = await furnish(client, marked);
  const upload = async (name: string, bytes: Buffer | Uint8Array, more = {}) => {
    const documents = [{ name, content: Buffer.from(bytes).toString('base64'), ...more }];
    return (await client.post<{ documents: [{ id: string }] }>('./documents', { documents })).body.documents[0].id;
  };
  const pdf = await upload(
    'two.pdf',
    buildPdf({ pages: [marked, 'Page 2'].map((text) => ({ content: line(text, 50, 700) })) }),
  );
  await upload('kind.txt', Buffer.from(`Invoice ${marked}\n\nVendor: Fabrikam\n\nTotal: 9.00`), { auto_create: true });
  const proposals = async () => (await client.get<{ proposals: { id: string }[] }>('./proposals')).body.proposals;
  await vi.waitFor(async () => expect(await proposals()).not.toEqual([]), { timeout: 60_000, interval: 200 });
  const [proposal] = await proposals();
  Object.assign(furnished.of, { proposal_id: [proposal!.id], pdf: [pdf] });
  const isRead = async () => (await client.get<{ state: string }>(`./documents/${pdf}`)).body.state;
  await vi.waitFor(async () => expect(await isRead()).toBe('ocr_completed'), { timeout: 60_000, interval: 200 });
  return furnished;
}

/** The id that a path parameter gets. */
function segmentOf({ of, schema, prompt, conversation, taskConversation }: Things, operation: Operation, name: string) {
  const { path, method } = operation;
  if (/\/(?:split|picture)$/u.test(path) && name === 'document_id') return of['pdf']![0]!;
  if (name === 'conversation_id') return (path.startsWith('/api/v1') ? taskConversation : conversation)[0]!;
  if (path.includes('/ask/') && /^(?:turn|thread)_id$/u.test(name)) return of[`ask_${name}`]![0]!;
  if (name !== 'id') return of[name]?.[0] ?? 'ffffffffffffffffffffffff';
  const [id, revision] = path.includes('/prompts/') ? [prompt[0], of['prompt_revid']![0]] : schema;
  // Schemas and prompts are read by revision.
  return (method === 'GET' && /\{id\}(\/columns)?$/u.test(path)) || path.endsWith('/validate') ? revision! : id!;
}

function pathOf(operation: Operation, thingsOf: (name: string) => Things, organizationId: string): string {
  return operation.pathParameters.reduce(
    (place, name) =>
      place.replace(`{${name}}`, name === 'org_id' ? organizationId : segmentOf(thingsOf(name), operation, name)),
    operation.path,
  );
}

/** Valid bodies that contain the victim's ids. */
function bodiesOf(operation: Operation, { of, schema, prompt }: Things, numRuns: number): unknown[] {
  if (operation.body === undefined) return [undefined];
  const fields = {
    ...fieldsOf({ of } as Things, demo.model),
    prompt_id: [prompt[0]],
    schema_id: [schema[0]],
    pages: [[[1, 1]]],
    turn_id: of['turn_id']!,
    source_id: of['source_id']!,
    spu_limit: [null],
    // An evaluation is slow and would test no right.
    max_documents: [1],
  };
  const known = {
    ids: [...Object.values(of).flat(), ...schema, ...prompt].filter((id) => /^[0-9a-f]{24}$/u.test(id)),
    fields,
    bodies: () => [],
    segments: () => [],
    foreign: () => [],
    headersOf: () => ({}),
  };
  return plausibleBodies(operation, known, { seed: 1042, numRuns });
}

type Asking = Pick<TestClient, 'accessToken' | 'organizationId'>;

async function ask({ method, name }: Operation, path: string, person: Asking, body: unknown): Promise<ReceivedAnswer> {
  const headers = {
    authorization: `Bearer ${person.accessToken}`,
    'x-org-id': person.organizationId,
    ...(name === 'POST /mcp' && { accept: 'application/json, text/event-stream' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return sender.send({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** The answer to the first valid body. */
async function askUntilUnderstood(operation: Operation, path: string, person: Asking, from: Things) {
  let answer: ReceivedAnswer | undefined;
  for (const body of bodiesOf(operation, from, 12)) {
    answer = await ask(operation, path, person, body);
    if (answer.status !== 422 && answer.status !== 400) break;
  }
  return answer!;
}

/** All data that the owner can read, by route. */
async function everythingRead(): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  for (const operation of operations) {
    if (operation.method !== 'GET' || operation.pathParameters.length === 0) continue;
    const path = pathOf(operation, () => things, owner.organizationId);
    const searched = operation.path.endsWith('/find') ? '?q=invoice' : '';
    const { status, text } = await ask(operation, `${path}${searched}`, owner, undefined);
    read.set(operation.name, `${status} ${text}`);
  }
  return read;
}

/** All data that the owner can read, once no work is in progress that would change it. */
async function everythingReadAtRest(): Promise<Map<string, string>> {
  const inProgress = /"(?:state|status)":"(?:uploaded|ocr_processing|queued|running|indexing)"/u;
  return await vi.waitFor(
    async () => {
      const read = await everythingRead();
      expect([...read].filter(([, answer]) => inProgress.test(answer))).toEqual([]);
      // What is done is announced a little later.
      await sleep(2_500);
      const later = await everythingRead();
      expect(later).toEqual(read);
      return later;
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** Routes that sign the caller out or hash passwords. */
const aboutOneself = /\/v0\/auth\/|\/oauth\/register/u;

describe('an admin of another organization', () => {
  it('reads and changes nothing with ids of this organization, on any route', async () => {
    const before = await everythingReadAtRest();
    const unread = [...before].filter(([, answer]) => !answer.startsWith('200'));
    expect(unread).toEqual([]);
    const wrong: string[] = [];
    const note = (operation: Operation, what: string, { status, text }: ReceivedAnswer, expected: number[]) => {
      if (expected.includes(status) && !text.includes(mark)) return;
      wrong.push(`${operation.name} with ${what} answers ${status} ${text.slice(0, 200)}`);
    };
    for (const operation of operations.filter(({ pathParameters }) => pathParameters.length > 0)) {
      const theirs = pathOf(operation, () => things, owner.organizationId);
      const asking = { ...stranger, organizationId: owner.organizationId };
      note(operation, 'all ids', await askUntilUnderstood(operation, theirs, asking, own), [403, 404]);
      for (const odd of operation.pathParameters) {
        // Names of providers and numbers of versions exist in both organizations.
        if (['org_id', 'name', 'version'].includes(odd)) continue;
        const path = pathOf(operation, (name) => (name === odd ? things : own), stranger.organizationId);
        // The route checks whether anything runs before it looks up the object.
        const expected = path.endsWith('/stop') ? [403, 404, 409] : [403, 404];
        note(operation, odd, await askUntilUnderstood(operation, path, stranger, own), expected);
      }
    }
    // Ids in bodies: no request changes the owner's data.
    for (const operation of operations.filter(({ body, name }) => body !== undefined && !aboutOneself.test(name))) {
      const path = pathOf(operation, () => own, stranger.organizationId);
      for (const body of bodiesOf(operation, things, 4)) {
        const { text } = await ask(operation, path, stranger, body);
        if (text.includes(mark))
          wrong.push(`${operation.name} with ${JSON.stringify(body)} answers ${text.slice(0, 200)}`);
      }
    }
    expect(wrong).toEqual([]);
    const after = await everythingRead();
    for (const [name, answer] of before) expect(`${name} ${after.get(name)}`).toBe(`${name} ${answer}`);
  });
});

/** Routes that read with a body, or that concern only the caller. */
const asks = [
  'POST /v0/orgs/{org_id}/documents/{document_id}/extractions/estimate',
  'POST /v0/orgs/{org_id}/evaluations/estimate',
  'POST /v0/orgs/{org_id}/permission_rules/simulate',
  'POST /v0/orgs/{org_id}/documents/bulk/estimate',
  'POST /v0/orgs/{org_id}/schemas/{id}/validate',
  'POST /v0/orgs/{org_id}/runs/matching',
  'POST /v0/orgs/{org_id}/routes/simulate',
  'POST /v0/orgs/{org_id}/schedules/next_times',
  'POST /api/v2/collections/{collection_id}/search',
];
const chats = [
  'POST /v0/orgs',
  'POST /v0/orgs/{org_id}/documents/{document_id}/chat',
  'POST /v0/orgs/{org_id}/documents/{document_id}/chat/threads',
  'POST /v0/orgs/{org_id}/ask',
  'POST /v0/orgs/{org_id}/ask/threads',
  'POST /v0/orgs/{org_id}/approvals/decide',
  'POST /api/schema-chat',
  'POST /api/v2/agent/conversations',
];

describe('a caller who can only read', () => {
  it.each([
    ['a viewer', [...asks, ...chats], async () => app.addUser('viewer')],
    [
      'a token with the scope `read`',
      asks,
      async () => {
        const body = { name: 'reader', lifetime_days: 1, scopes: ['read'] };
        const { token } = (await owner.post<{ token: string }>('./access_tokens', body)).body;
        return { ...owner, accessToken: token };
      },
    ],
  ])('%s writes through no route', async (_who, allowed, make) => {
    const person = await make();
    const before = await everythingReadAtRest();
    const done: string[] = [];
    for (const operation of operations.filter(({ method, name }) => method !== 'GET' && !aboutOneself.test(name))) {
      const path = pathOf(operation, () => things, owner.organizationId);
      const { status } = await askUntilUnderstood(operation, path, person, things);
      if (status < 400 && !allowed.includes(operation.name)) done.push(`${operation.name} ${status}`);
    }
    expect(done).toEqual([]);
    const after = await everythingRead();
    const talk = /audit|usage|threads|oauth|access_tokens|members|accuracy|proposals/u;
    for (const [name, answer] of before)
      if (!talk.test(name)) expect(`${name} ${after.get(name)}`).toBe(`${name} ${answer}`);
  });
});
