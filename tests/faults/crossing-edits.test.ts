import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { operations } from '@docwright/contract/operations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'crossing-edits-'));
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: '127.0.0.1' } });
  app.services.settings.inletDirs.set(app.admin.organizationId, [folder]);
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

const makes = async (address: string, body: object, key: string): Promise<string> => {
  const answer = await call('POST', address, body);
  expect([answer.status, answer.error]).toEqual([201, undefined]);
  return (answer.body as Record<string, string>)[key]!;
};
const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', address: string, payload?: object) =>
  app.admin.request<Record<string, unknown>>(method, address, {
    ...(payload && { payload }),
    headers: { 'x-org-id': app.admin.organizationId },
  });

const properties = { total: { type: 'string' } };
const schema = { type: 'object', properties, required: ['total'], additionalProperties: false };
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

/** A literal with a `then` could be taken for a promise. */
const emptyRoute = [['when', {}] as const, ['then', {}] as const];

interface Edit {
  /** Creates the object. Returns its address. */
  at: () => Promise<string>;
  /** Two values of a field, neither of which it has. */
  field: [name: string, one: unknown, other: unknown];
  /** Another field, with a value that it does not have. */
  beside?: [name: string, value: unknown];
  /** Reads the object, if its address does not. */
  read?: (address: string) => Promise<Record<string, unknown>>;
  isDeletable?: false;
}

const listed = (list: string, key: string, id: string) => async (address: string) => {
  const { body } = await call('GET', list);
  const all = Object.values(body).find(Array.isArray) as Record<string, unknown>[];
  return all.find((each) => each[key] === (id === '' ? address.split('/').at(-1) : id))!;
};

const edits: Record<string, Edit> = {
  'PUT /v0/orgs/:org_id/tags/:tag_id': {
    at: async () => `./tags/${await makes('./tags', { name: 'Old' }, 'tag_id')}`,
    field: ['name', 'One', 'Other'],
    beside: ['description', 'Beside'],
  },
  'PUT /v0/orgs/:org_id/schemas/:id': {
    at: async () => `./schemas/${await makes('./schemas', { name: 'Old', response_format }, 'schema_id')}`,
    field: ['name', 'One', 'Other'],
    read: listed('./schemas', 'schema_id', ''),
  },
  'PUT /v0/orgs/:org_id/prompts/:id': {
    at: async () => `./prompts/${await makes('./prompts', { name: 'Old', content: 'Total?' }, 'prompt_id')}`,
    field: ['review_policy', { confirm_below: 0.1, sample: 0.5 }, { confirm_below: 0.2, sample: 0.5 }],
    beside: ['name', 'Beside'],
    read: listed('./prompts', 'prompt_id', ''),
  },
  'PATCH /v0/orgs/:org_id/documents/:document_id': {
    at: async () => {
      const documents = [{ name: 'old.txt', content: Buffer.from(`Total: ${Math.random()}`).toString('base64') }];
      const { body } = await call('POST', './documents', { documents });
      return `./documents/${(body['documents'] as { id: string }[])[0]!.id}`;
    },
    // Fields can have the names of operators.
    field: ['metadata', { $gt: '1' }, { $in: ['2'] }],
    beside: ['document_name', 'beside.txt'],
  },
  'PATCH /v0/orgs/:org_id/webhooks/:webhook_id': {
    at: async () => `./webhooks/${await makes('./webhooks', { url: 'https://example.com/', enabled: false }, 'id')}`,
    field: ['url', 'https://example.com/one', 'https://example.com/other'],
    beside: ['include_result', true],
  },
  'PATCH /v0/orgs/:org_id/routes/:route_id': {
    at: async () => `./routes/${await makes('./routes', Object.fromEntries([...emptyRoute, ['name', 'Old']]), 'id')}`,
    field: ['when', { name_matches: 'one' }, { name_matches: 'other' }],
    beside: ['name', 'Beside'],
    read: listed('./routes', 'id', ''),
  },
  'PATCH /v0/orgs/:org_id/schedules/:schedule_id': {
    at: async () =>
      `./schedules/${await makes('./schedules', { name: 'Old', cron: '0 3 * * *', action: 'run_extraction' }, 'id')}`,
    field: ['cron', '0 4 * * *', '0 5 * * *'],
    beside: ['name', 'Beside'],
  },
  'PATCH /api/v2/sources/:source_id': {
    at: async () => {
      const connector = { kind: 'folder', config: { path: folder } };
      return `/api/v2/sources/${await makes('/api/v2/sources', { name: 'Old', connector, enabled: false }, 'id')}`;
    },
    field: ['every', '2h', '3h'],
    beside: ['name', 'Beside'],
  },
  'PUT /api/v1/:user_id/tasks/:task_id': {
    at: async () => {
      const tasks = `/api/v1/${app.admin.userId}/tasks`;
      return `${tasks}/${await makes(tasks, { title: 'Old' }, 'id')}`;
    },
    field: ['title', 'One', 'Other'],
    beside: ['due_at', '2030-01-01'],
  },
  'PUT /v0/orgs/:org_id/llm/providers/:name': {
    at: async () => {
      await call('PUT', './llm/providers/mine', { base_url: 'http://127.0.0.1:9/v1', display_name: 'Old' });
      return './llm/providers/mine';
    },
    field: ['display_name', 'One', 'Other'],
    beside: ['enabled', false],
    read: listed('./llm/providers', 'name', 'mine'),
  },
  'PUT /v0/orgs/:org_id/budget': {
    at: async () => './budget',
    field: ['spu_limit', 1_000_001, 1_000_002],
    beside: ['period', 'month'],
    read: async () => {
      const { spu_limit, period } = (await call('GET', './usage')).body;
      return { spu_limit, period };
    },
    isDeletable: false,
  },
  'PATCH /v0/orgs/:org_id': {
    at: async () => `/v0/orgs/${app.admin.organizationId}`,
    field: ['time_zone', 'Europe/Berlin', 'Europe/Paris'],
    beside: ['language', 'de'],
    isDeletable: false,
  },
  'PATCH /v0/orgs/:org_id/members/:user_id': {
    at: async () => `./members/${(await app.addUser('member')).userId}`,
    field: ['role', 'viewer', 'admin'],
    read: listed('./members', 'user_id', ''),
  },
};

/** What users change otherwise. */
const otherwise = [
  // A result has versions: base_version.
  'PATCH /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid',
  'PUT /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification',
  // A decision about a proposed route, a state that is the same after each repetition, and the user's own password.
  'PATCH /v0/orgs/:org_id/documents/:document_id/routing',
  'PATCH /api/v1/:user_id/tasks/:task_id/complete',
  'PATCH /api/v2/agent/conversations/:conversation_id/uncertainties/:uncertainty_id',
  'PUT /v0/auth/password',
  // The title of an own conversation.
  'PATCH /api/v2/agent/conversations/:conversation_id',
];

it('knows each operation that changes an object', () => {
  const changing = Object.keys(operations).filter((name) => /^(?:PUT|PATCH) /u.test(name));
  expect([...Object.keys(edits), ...otherwise].toSorted()).toEqual(changing.toSorted());
});

it.each(Object.entries(edits))(
  'lets no two edits by %s cross',
  async (name, { at, field, beside, read, isDeletable }) => {
    const [method] = name.split(' ') as ['PUT' | 'PATCH'];
    const address = await at();
    const now = async () => (read ? await read(address) : (await call('GET', address)).body);
    const [key, one, other] = field;
    const opened = await now();
    const seen = { [key]: opened[key] ?? null };
    const save = (change: object) => call(method, address, change);

    // Both at once: one of them is refused, whichever comes second.
    const both = await Promise.all([save({ [key]: one, seen }), save({ [key]: other, seen })]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const stored = (await now())[key];
    expect([one, other]).toContainEqual(stored);
    const refused = both.find(({ status }) => status === 409)!;
    const codes = ['version_conflict', ...(name.includes('providers') ? ['provider_changed'] : [])];
    expect(codes).toContain(refused.error?.code);

    // One after the other.
    const late = await save({ [key]: one, seen });
    expect([late.status, late.error?.code, late.error?.details]).toEqual([409, 'version_conflict', { changed: [key] }]);
    expect(late.error?.message).toContain('Read it again');
    expect((await now())[key]).toEqual(stored);
    if (beside) {
      const [name_, value] = beside;
      expect((await save({ [name_]: value, seen: { [name_]: opened[name_] ?? null } })).status).toBe(200);
      expect(await now()).toMatchObject({ [key]: stored, [name_]: value });
    }
    // A caller that has read it again can write, also with all of the answer, and so can a program that does not say what it saw.
    expect((await save({ [key]: one, seen: await now() })).status).toBe(200);
    expect((await save({ [key]: other })).status).toBe(200);
    if (isDeletable === false) return;
    expect((await call('DELETE', address)).status).toBeLessThan(300);
    const gone = await save({ [key]: one, seen: { [key]: other } });
    expect([gone.status, await now().then((body) => body?.[key])]).toEqual([
      name.includes('providers') ? 409 : 404,
      undefined,
    ]);
  },
);
