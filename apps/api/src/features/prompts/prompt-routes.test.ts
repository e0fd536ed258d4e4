import type { Document, Prompt, Schema, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const response_format = {
  type: 'json_schema',
  json_schema: { name: 'empty', schema: { type: 'object', properties: {}, additionalProperties: false } },
};
const otherFormat = { ...response_format, json_schema: { ...response_format.json_schema, name: 'other' } };
const unknownId = 'f'.repeat(24);

async function tag(client: TestClient, name: string): Promise<string> {
  return (await client.post<Tag>('./tags', { name })).body.tag_id;
}
async function upload(client: TestClient, tag_ids: string[]): Promise<string> {
  const content = Buffer.from('Total: 5').toString('base64');
  const answer = await client.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'note.txt', content, tag_ids }],
  });
  return answer.body.documents[0].id;
}

it('pins a schema to its current revision, or to the requested one', async () => {
  const { schema_id, schema_revid } = (await harness.admin.post<Schema>('./schemas', { name: 's', response_format }))
    .body;
  const created = await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'Read it.', schema_id });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ prompt_version: 1, schema_id, schema_version: 1, schema_revid, tag_ids: [] });
  const { prompt_id } = created.body;

  await harness.admin.put<Schema>(`./schemas/${schema_id}`, { response_format: otherFormat });
  const reworded = await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { content: 'Read it well.' });
  expect(reworded.body).toMatchObject({ prompt_version: 2, schema_version: 1, schema_revid });
  const repointed = await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { schema_id });
  expect(repointed.body).toMatchObject({ prompt_version: 3, schema_version: 2, content: 'Read it well.' });
  const back = await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { schema_version: 1 });
  expect(back.body).toMatchObject({ prompt_version: 4, schema_revid });
  const same = await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { name: 'q', content: 'Read it well.' });
  expect(same.body).toMatchObject({ prompt_version: 4, name: 'q' });
  const without = await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { schema_id: null });
  expect(without.body.schema_revid).toBeUndefined();
  const versions = await harness.admin.get<{ prompts: Prompt[]; total_count: number }>(
    `./prompts/${prompt_id}/versions?limit=2`,
  );
  expect(versions.body).toMatchObject({ total_count: 5, prompts: [{ prompt_version: 5 }, { prompt_version: 4 }] });

  expect((await harness.admin.delete(`./prompts/${prompt_id}`)).status).toBe(204);
  expect((await harness.admin.get<Prompt>(`./prompts/${created.body.prompt_revid}`)).body.name).toBe('q');
  expect((await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { name: 'r' })).status).toBe(404);
});

it.each([
  {
    kind: 'prompt',
    version: 'prompt_version',
    first: { content: 'Read it.' },
    other: { content: 'Read the total.' },
    own: { content: 'Read the date.' },
  },
  {
    kind: 'schema',
    version: 'schema_version',
    first: { response_format },
    other: { response_format: otherFormat },
    own: {
      response_format: { ...response_format, json_schema: { ...response_format.json_schema, name: 'own' } },
    },
  },
])('a $kind is not changed after a version that the user did not see', async ({ kind, version, first, other, own }) => {
  const { admin } = harness;
  const created = await admin.post<Record<string, string>>(`./${kind}s`, { name: 'Seen', ...first });
  const change = (body: object) => admin.put<Record<string, unknown>>(`./${kind}s/${created.body[`${kind}_id`]}`, body);
  expect((await change({ ...other, base_version: 1 })).body).toMatchObject({ [version]: 2 });
  const late = await change({ ...own, name: 'Late', base_version: 1 });
  expect(late).toMatchObject({
    status: 409,
    error: { code: 'version_conflict', details: { current_version: 2 } },
  });
  // A name alone follows no version, and what stands already conflicts with nothing.
  expect((await change({ name: 'Renamed', base_version: 1 })).body).toMatchObject({ name: 'Renamed', [version]: 2 });
  expect((await change({ ...own, base_version: 2 })).body).toMatchObject({ name: 'Renamed', [version]: 3 });
});

it('finds the prompts that apply to a document by tag', async () => {
  const client = await harness.addOrganization();
  const [invoices, letters, unused] = [
    await tag(client, 'invoices'),
    await tag(client, 'letters'),
    await tag(client, 'x'),
  ];
  const create = (name: string, tag_ids: string[]) => client.post<Prompt>('./prompts', { name, content: 'c', tag_ids });
  await create('both', [invoices, letters]);
  await create('invoices', [invoices, invoices]);
  await create('none', []);
  const names = async (query: string) =>
    (await client.get<{ prompts: Prompt[]; total_count: number }>(`./prompts?${query}`)).body.prompts
      .map((prompt: Prompt) => prompt.name)
      .toSorted();

  expect(await names(`document_id=${await upload(client, [letters, unused])}`)).toEqual(['both']);
  expect(await names(`document_id=${await upload(client, [invoices])}`)).toEqual(['both', 'invoices']);
  expect(await names(`document_id=${await upload(client, [])}`)).toEqual([]);
  expect(await names(`tag_ids=${invoices},${letters}`)).toEqual(['both']);
  expect(await names('name_search=OT')).toEqual(['both']);
  expect(
    (await client.get<{ prompts: Prompt[]; total_count: number }>(`./prompts?document_id=${unknownId}`)).error?.code,
  ).toBe('unknown_reference');
});

it('rejects references to missing objects and to those of other organizations', async () => {
  const stranger = await harness.addOrganization();
  const theirTag = await tag(stranger, 'theirs');
  const theirSchema = (await stranger.post<Schema>('./schemas', { name: 's', response_format })).body.schema_id;
  const bodies = [
    { tag_ids: [theirTag] },
    { tag_ids: [unknownId] },
    { schema_id: theirSchema },
    { schema_id: unknownId },
  ];
  for (const body of bodies) {
    const answer = await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', ...body });
    expect([answer.status, answer.error?.code]).toEqual([400, 'unknown_reference']);
  }
  const model = await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', model: 'none-such' });
  expect([model.status, model.error?.code]).toEqual([400, 'model_not_enabled']);
  const version = await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', schema_version: 1 });
  expect(version.status).toBe(400);
  const malformed = await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', schema_id: 'nope' });
  expect(malformed.status).toBe(422);

  const mine = (await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c' })).body;
  expect((await stranger.get<Prompt>(`./prompts/${mine.prompt_revid}`)).status).toBe(404);
  expect((await stranger.put<Prompt>(`./prompts/${mine.prompt_id}`, { content: 'd' })).status).toBe(404);
  expect((await stranger.delete(`./prompts/${mine.prompt_id}`)).status).toBe(404);
  const viewer = await harness.addUser('viewer');
  expect((await viewer.put<Prompt>(`./prompts/${mine.prompt_id}`, { content: 'd' })).status).toBe(403);
});

it('applies all of several concurrent changes', async () => {
  const { prompt_id } = (await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c' })).body;
  const tag_id = await tag(harness.admin, 'at once');
  const answers = await Promise.all([
    harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { content: 'new' }),
    harness.admin.put<Prompt>(`./prompts/${prompt_id}`, { tag_ids: [tag_id] }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const current = await harness.services.prompts(harness.admin.actor).getCurrent(prompt_id);
  expect(current).toMatchObject({ prompt_version: 2, content: 'new', tag_ids: [tag_id] });
});

it('tags belong to the prompt: another tag makes no version, so that no result becomes one of an earlier version', async () => {
  const [first, second] = [await tag(harness.admin, 'first tag'), await tag(harness.admin, 'second tag')];
  const made = (await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', tag_ids: [first] })).body;
  const one = `./prompts/${made.prompt_id}`;
  const tagged = (await harness.admin.put<Prompt>(one, { tag_ids: [first, second] })).body;
  expect(tagged).toEqual({ ...made, tag_ids: [first, second] });
  const reworded = (await harness.admin.put<Prompt>(one, { content: 'd' })).body;
  expect(reworded).toMatchObject({ prompt_version: 2, tag_ids: [first, second] });
  await harness.admin.put<Prompt>(one, { tag_ids: [second] });
  const { body } = await harness.admin.get<{ prompts: Prompt[] }>(`${one}/versions`);
  expect(body.prompts.map(({ prompt_version, tag_ids }) => [prompt_version, tag_ids])).toEqual([
    [2, [second]],
    [1, [second]],
  ]);
  const listed = async (tag_id: string) =>
    (await harness.admin.get<{ total_count: number }>(`./prompts?tag_ids=${tag_id}`)).body.total_count;
  expect([await listed(first), await listed(second)]).toEqual([0, 1]);
});

it('repeats the answer of a repeated call, even if a referenced tag was deleted since', async () => {
  const prompts = harness.services.prompts(harness.admin.actor);
  const tag_id = await tag(harness.admin, 'passing');
  const body = { name: 'once', content: 'c', tag_ids: [tag_id] };
  const created = await prompts.create(body, { call_id: 'prompt-create' });
  await prompts.update(created.prompt_id, { tag_ids: [] }, { call_id: 'prompt-update' });
  expect((await harness.admin.delete(`./tags/${tag_id}`)).status).toBe(204);
  expect(await prompts.create(body, { call_id: 'prompt-create' })).toEqual(created);
  const again = await prompts.update(created.prompt_id, { tag_ids: [] }, { call_id: 'prompt-update' });
  expect(again).toMatchObject({ prompt_version: 1, tag_ids: [] });
});
