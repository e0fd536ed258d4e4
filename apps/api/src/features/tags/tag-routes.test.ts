import type { Document, Prompt, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

it('is created with a colour derived from its name, changed, listed and deleted', async () => {
  const created = await harness.admin.post<Tag>('./tags', { name: 'Invoices' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    name: 'Invoices',
    description: '',
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
  });
  const { tag_id, color } = created.body;
  const stranger = await harness.addOrganization();
  expect((await stranger.post<Tag>('./tags', { name: 'Invoices' })).body.color).toBe(color);

  const changed = await harness.admin.put<Tag>(`./tags/${tag_id}`, { color: '#AABBCC', description: 'Bills' });
  expect(changed.body).toMatchObject({ tag_id, name: 'Invoices', color: '#aabbcc', description: 'Bills' });
  expect((await harness.admin.get<Tag>(`./tags/${tag_id}`)).body).toEqual(changed.body);
  expect((await harness.admin.get<{ tags: Tag[]; total_count: number }>('./tags?name_search=voi')).body).toMatchObject({
    total_count: 1,
    tags: [{ tag_id }],
  });
  expect((await harness.admin.delete(`./tags/${tag_id}`)).status).toBe(204);
  expect((await harness.admin.get<Tag>(`./tags/${tag_id}`)).status).toBe(404);
  expect((await harness.admin.post<Tag>('./tags', { name: 'Invoices' })).status).toBe(201);
});

it('has a unique name in the organization, ignoring case, also in concurrent requests', async () => {
  const answers = await Promise.all(
    ['Straße', 'STRASSE', 'straße', 'sTRAßE'].map((name) => harness.admin.post<Tag>('./tags', { name })),
  );
  expect(answers.filter(({ status }) => status === 201).length).toBe(2);
  expect(answers.filter(({ status }) => status === 409).length).toBe(2);
  const other = (await harness.admin.post<Tag>('./tags', { name: 'other' })).body;
  const taken = await harness.admin.put<Tag>(`./tags/${other.tag_id}`, { name: 'strasse' });
  expect([taken.status, taken.error?.code]).toEqual([409, 'tag_name_taken']);
  expect((await harness.admin.put<Tag>(`./tags/${other.tag_id}`, { name: 'OTHER' })).status).toBe(200);
});

it('cannot be deleted while a document or a prompt has it', async () => {
  const { tag_id } = (await harness.admin.post<Tag>('./tags', { name: 'used' })).body;
  const content = Buffer.from('x').toString('base64');
  const upload = { documents: [{ name: 'a.txt', content, tag_ids: [tag_id] }] };
  const document = (await harness.admin.post<{ documents: [Document] }>('./documents', upload)).body.documents[0];
  const prompt = (await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'c', tag_ids: [tag_id] })).body;
  const refused = await harness.admin.delete(`./tags/${tag_id}`);
  expect([refused.status, refused.error?.code]).toEqual([400, 'tag_in_use']);
  await harness.admin.patch(`./documents/${document.id}`, { tag_ids: [] });
  expect((await harness.admin.delete(`./tags/${tag_id}`)).status).toBe(400);
  await harness.admin.delete(`./prompts/${prompt.prompt_id}`);
  expect((await harness.admin.delete(`./tags/${tag_id}`)).status).toBe(204);
});

it('rejects other organizations, viewers, malformed ids and colours', async () => {
  const { tag_id } = (await harness.admin.post<Tag>('./tags', { name: 'mine' })).body;
  const stranger = await harness.addOrganization();
  for (const refused of [
    await stranger.get<Tag>(`./tags/${tag_id}`),
    await stranger.put<Tag>(`./tags/${tag_id}`, { name: 'x' }),
    await stranger.delete(`./tags/${tag_id}`),
    await harness.admin.get('./tags/nope'),
    await harness.admin.delete(`./tags/${'0'.repeat(24)}`),
  ]) {
    expect(refused.status).toBe(404);
  }
  const viewer = await harness.addUser('viewer');
  expect((await viewer.post<Tag>('./tags', { name: 'x' })).status).toBe(403);
  expect((await viewer.get('./tags')).status).toBe(200);
  expect((await harness.admin.post<Tag>('./tags', { name: 'x', color: 'red' })).status).toBe(422);
  const unknown = await harness.services
    .tags(harness.admin.actor)
    .delete('nonsense')
    .catch((error: unknown) => error);
  expect(unknown).toMatchObject({ kind: 'not_found' });
});

it('repeats the answer of a repeated call and writes nothing', async () => {
  const tags = harness.services.tags(harness.admin.actor);
  const origin = { call_id: 'tag-create' };
  const created = await tags.create({ name: 'once' }, origin);
  expect(await tags.create({ name: 'once' }, origin)).toEqual(created);
  await tags.update(created.tag_id, { name: 'twice' }, { call_id: 'tag-update' });
  await tags.update(created.tag_id, { name: 'thrice' });
  await tags.update(created.tag_id, { name: 'twice' }, { call_id: 'tag-update' });
  expect((await tags.get(created.tag_id)).name).toBe('thrice');
  await tags.delete(created.tag_id, { call_id: 'tag-delete' });
  await tags.delete(created.tag_id, { call_id: 'tag-delete' });
  await expect(tags.delete(created.tag_id)).rejects.toMatchObject({ code: 'tag_not_found' });
});
