import type { AuditEntry, Document, Prompt, Route, Run, Tag } from '@docwright/contract';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

let app: TestApp;
let client: TestClient;
let asked = 0;
beforeAll(async () => {
  app = await startTestApp({
    llm: {
      async *stream(request) {
        asked += 1;
        yield* scriptedLlm([{ text: '{"total": 5}' }]).stream(request);
      },
    },
    settings: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'no-model' },
  });
  await startJobs(app.services);
});
afterAll(() => app.stop());
let tag: Tag;
let prompt: Prompt;
beforeEach(async () => {
  client = await app.addOrganization();
  asked = 0;
  tag = (await client.post<Tag>('./tags', { name: 'invoice', on_arrival: { run_prompts: true } })).body;
  prompt = (await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.', tag_ids: [tag.tag_id] })).body;
});

async function upload(names: string[], more: object = {}): Promise<string[]> {
  const documents = names.map((name) => ({
    name,
    content: Buffer.from(`Total 5 of ${name} ${client.organizationId}`).toString('base64'),
    ...more,
  }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  const ids = body.documents.map(({ id }) => id);
  await app.services.documents.textReading.readAll(new AbortController().signal);
  for (const id of ids) {
    const state = async () => (await client.get<Document>(`./documents/${id}`)).body.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('ocr_completed');
  }
  return ids;
}
const signal = () => new AbortController().signal;
const arrive = () => app.services.arrivals.start(signal());
const runs = async () =>
  (await client.get<{ runs: Run[] }>('./runs')).body.runs.filter(({ trigger }) => trigger === 'arrival');

it('runs the prompts of a tag that a route gives, once, as a run of the organization that can be undone', async () => {
  const { body: route } = await client.post<Route>('./routes', {
    name: 'All',
    when: {},
    then: { tag_ids: [tag.tag_id] },
  });
  const [id] = await upload(['a.txt']);
  await Promise.all([arrive(), arrive()]);
  await arrive();
  await expect.poll(runs).toHaveLength(1);
  expect(await runs()).toMatchObject([
    { trigger: 'arrival', action: 'run_extraction', requested_by: client.organizationId },
  ]);
  await expect.poll(async () => (await runs())[0]?.state, { timeout: 10_000 }).toBe('completed');
  expect((await runs())[0]).toMatchObject({ matched: 1, succeeded: 1, failed: 0 });
  expect(asked).toBe(1);
  const { body } = await client.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}&tool=run_extraction`);
  expect(body.entries).toMatchObject([
    { actor: client.organizationId, origin: { kind: 'arrival', route_id: route.id }, success: true },
  ]);
  // Setting the tag again runs nothing, nor does a new revision alone.
  await client.patch(`./documents/${id}`, { tag_ids: [] });
  await client.patch(`./documents/${id}`, { tag_ids: [tag.tag_id] });
  await client.put(`./prompts/${prompt.prompt_id}`, { name: 'p', content: 'Read more.', tag_ids: [tag.tag_id] });
  await arrive();
  expect(await runs()).toHaveLength(1);
  // A member who did not start it can undo it, since it belongs to the organization.
  const member = await app.addUser('member', client.organizationId);
  expect((await member.post(`./runs/${(await runs())[0]!.id}/undo`)).status).toBeLessThan(300);
});

it('a route says what the tags that it gives start, also where a user chooses it later', async () => {
  const { body: quiet } = await client.post<Tag>('./tags', { name: 'quiet' });
  await client.post('./prompts', { name: 'q', content: 'Read.', tag_ids: [quiet.tag_id] });
  const make = async (name: string, tag_ids: string[], run_prompts: boolean) =>
    (
      await client.post<Route>('./routes', {
        name,
        when: { name_matches: name },
        then: { tag_ids, on_arrival: { run_prompts } },
      })
    ).body;
  await make('still', [tag.tag_id], false);
  const loud = await make('loud', [quiet.tag_id], true);
  const [still] = await upload(['still.txt', 'other.txt']);
  await arrive();
  expect(await runs()).toEqual([]);
  await upload(['loud.txt']);
  await arrive();
  await expect.poll(runs).toHaveLength(1);
  expect((await client.patch(`./documents/${still}/routing`, { route_id: loud.id })).status).toBe(200);
  await arrive();
  await expect.poll(runs).toHaveLength(2);
});

it('a tag that a user gives later starts them; a rule that denies run_extraction stops it', async () => {
  const [first, second] = await upload(['a.txt', 'b.txt']);
  await arrive();
  expect(await runs()).toEqual([]);
  await client.patch(`./documents/${first}`, { add_tag_ids: [tag.tag_id] });
  await arrive();
  await expect.poll(runs).toHaveLength(1);
  const rule = await client.post('./permission_rules', {
    tool: 'run_extraction',
    effect: 'deny',
    scope: 'organization',
  });
  expect(rule.status, rule.text).toBeLessThan(300);
  await client.patch(`./documents/${second}`, { add_tag_ids: [tag.tag_id] });
  await arrive();
  expect(await runs()).toHaveLength(1);
  // What was denied names the route too.
  const { body: route } = await client.post<Route>('./routes', {
    name: 'All',
    when: {},
    then: { tag_ids: [tag.tag_id] },
  });
  const [third] = await upload(['c.txt']);
  await arrive();
  const denied = async () =>
    (await client.get<{ entries: AuditEntry[] }>(`./audit?document_id=${third}&tool=run_extraction`)).body.entries;
  await expect.poll(denied).toMatchObject([{ decision: 'deny', origin: { kind: 'arrival', route_id: route.id } }]);
});

it('every prompt of a tag is run, however many there are', async () => {
  const others = Array.from({ length: 100 }, (_, at) => ({ name: `${at}`, content: 'Read.', tag_ids: [tag.tag_id] }));
  for (const other of others) expect((await client.post('./prompts', other)).status).toBe(201);
  const [id] = await upload(['a.txt']);
  const started = await app.services.arrivals.wouldStart(client.organizationId, [id!], [tag.tag_id]);
  expect(new Set(started.map(({ promptId }) => promptId)).size).toBe(101);
});

it('a bulk action that starts more than twenty extractions asks first', async () => {
  const ids = await upload(Array.from({ length: 21 }, (_, at) => `${at}.txt`));
  const give = (more: object) =>
    client.post('./documents/bulk', { action: 'tag', tag_ids: [tag.tag_id], document_ids: ids, ...more });
  const refused = await give({});
  expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
    409,
    'confirm_required',
    { extractions: 21, spu_estimated: expect.any(Number) },
  ]);
  expect((await give({ document_ids: ids.slice(1) })).status).toBeLessThan(300);
  expect((await give({ confirm: { extractions: 20 } })).status).toBe(409);
  expect((await give({ confirm: { extractions: 21 } })).status).toBeLessThan(300);
});
