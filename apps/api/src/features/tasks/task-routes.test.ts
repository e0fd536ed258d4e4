import type { Task, taskList } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import type { TestClient } from '../../testing/test-client.ts';
import { startTaskTestBench, type TaskTestBench } from '../../testing/task-test-bench.ts';

let bench: TaskTestBench;
beforeAll(async () => {
  bench = await startTaskTestBench();
});
afterAll(async () => bench.stop());

const pathOf = ({ userId }: TestClient) => `/api/v1/${userId}/tasks`;

it('is created, read, changed, completed, opened again and deleted', async () => {
  const client = await bench.addOrganization();
  const path = pathOf(client);
  const document_id = await bench.addDocument(client);
  const added = await client.post<Task>(path, { title: ' Check\n\u0000it ', document_id, due_at: '2026-11-27' });
  expect(added.status).toBe(201);
  expect(added.body).toEqual({
    id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    title: 'Check it',
    is_completed: false,
    document_id,
    due_at: '2026-11-27',
    created_at: expect.any(String),
    version: 1,
  });
  const one = `${path}/${added.body.id}`;
  expect((await client.get<Task>(one)).body).toEqual(added.body);
  const changed = await client.put<Task>(one, { description: 'All pages', due_at: null });
  expect(changed.body).toMatchObject({ title: 'Check it', description: 'All pages', document_id });
  expect(changed.body.due_at).toBeUndefined();
  for (const [body, is_completed] of [
    [undefined, true],
    [undefined, true],
    [{ is_completed: false }, false],
  ] as const) {
    expect((await client.patch<Task>(`${one}/complete`, body)).body).toMatchObject({ is_completed });
  }
  expect((await client.delete(one)).status).toBe(204);
  for (const gone of [await client.get(one), await client.delete(one), await client.patch(`${one}/complete`)]) {
    expect([gone.status, gone.error?.code]).toEqual([404, 'task_not_found']);
  }
});

it('lists open tasks first, then by due date, with pages and filters', async () => {
  const client = await bench.addOrganization();
  const done = await bench.addTask(client, { title: 'done', due_at: '2026-01-01' });
  await client.patch(`${pathOf(client)}/${done.id}/complete`);
  await bench.addTask(client, { title: 'some day' });
  await bench.addTask(client, { title: 'later', due_at: '2027-01-02T08:00:00+02:00' });
  await bench.addTask(client, { title: 'Soon (1)', due_at: '2026-12-01' });
  const titles = async (query: string) =>
    (await client.get<z.infer<typeof taskList>>(`${pathOf(client)}?${query}`)).body.tasks.map(({ title }) => title);
  expect(await titles('')).toEqual(['Soon (1)', 'later', 'some day', 'done']);
  expect(await titles('is_completed=true')).toEqual(['done']);
  expect(await titles('is_completed=false&skip=1&limit=1')).toEqual(['later']);
  expect(await titles('title_search=soon%20(')).toEqual(['Soon (1)']);
  expect((await client.get(`${pathOf(client)}?is_completed=perhaps`)).status).toBe(422);
});

it('is private: 403 on another user’s path, 404 on the caller’s path', async () => {
  const owner = await bench.addOrganization();
  const task = await bench.addTask(owner, { title: 'mine' });
  const colleague = await bench.addUser('admin', owner.organizationId);
  for (const answer of [
    await colleague.get(pathOf(owner)),
    await colleague.post(pathOf(owner), { title: 'x' }),
    await colleague.post(pathOf(owner), { nonsense: true }),
    await colleague.delete(`${pathOf(owner)}/${task.id}`),
    await colleague.get('/api/v1/user-1/tasks'),
  ]) {
    expect([answer.status, answer.error?.code]).toEqual([403, 'not_your_path']);
  }
  for (const answer of [
    await colleague.get(`${pathOf(colleague)}/${task.id}`),
    await colleague.put(`${pathOf(colleague)}/${task.id}`, { title: 'x' }),
    await colleague.delete(`${pathOf(colleague)}/${task.id}`),
    await owner.get(`${pathOf(owner)}/nope`),
  ]) {
    expect(answer.status).toBe(404);
  }
  const nobody = await owner.request('GET', pathOf(owner), { headers: { authorization: '' } });
  expect(nobody.status).toBe(401);
  expect(await bench.tasksOf(owner)).toEqual([task]);
});

it('belongs to one organization, links only its documents, and loses the link with the document', async () => {
  const client = await bench.addOrganization();
  const stranger = await bench.addOrganization();
  const theirs = await bench.addDocument(stranger);
  const refused = await client.post<Task>(pathOf(client), { title: 'x', document_id: theirs });
  expect([refused.status, refused.error?.code]).toEqual([400, 'unknown_reference']);
  const document_id = await bench.addDocument(client);
  const task = await bench.addTask(client, { title: 'linked', document_id });
  expect((await client.put(`${pathOf(client)}/${task.id}`, { document_id: theirs })).status).toBe(400);

  const { body: second } = await client.post<{ id: string }>('/v0/orgs', { name: 'Second' });
  const headers = { 'x-org-id': second.id };
  const elsewhere = await client.request<z.infer<typeof taskList>>('GET', pathOf(client), { headers });
  expect(elsewhere.body).toMatchObject({ tasks: [], total_count: 0 });

  await client.delete(`./documents/${document_id}`);
  const { document_id: _, ...unlinked } = task;
  expect(await bench.tasksOf(client)).toEqual([unlinked]);
});

it('can be read but not written by a viewer', async () => {
  const viewer = await bench.addUser('viewer');
  expect((await viewer.get(pathOf(viewer))).status).toBe(200);
  expect((await viewer.post(pathOf(viewer), { title: 'x' })).status).toBe(403);
});

it('rejects invalid bodies with the expected format', async () => {
  const client = await bench.addOrganization();
  expect((await client.post(pathOf(client), { title: '  ' })).status).toBe(422);
  expect((await client.post(pathOf(client), { title: 'x', due_at: '0001-01-01' })).status).toBe(422);
  const refused = await client.post(pathOf(client), { title: 'x', due_at: 'friday' });
  expect([refused.status, refused.error?.message]).toEqual([422, expect.stringContaining('2026-11-27')]);
});

it('is created once for each call of an agent', async () => {
  const client = await bench.addOrganization();
  const tasks = bench.services.tasks(client.actor);
  const first = await tasks.create({ title: 'once' }, { call_id: 'task-call' });
  expect(await tasks.create({ title: 'once' }, { call_id: 'task-call' })).toEqual(first);
  expect(await bench.tasksOf(client)).toHaveLength(1);
});
