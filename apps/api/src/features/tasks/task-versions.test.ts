import type { AuditEntry, Task, TaskVersionList } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTaskTestBench, type TaskTestBench } from '../../testing/task-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: TaskTestBench;
beforeAll(async () => {
  bench = await startTaskTestBench();
});
afterAll(async () => bench.stop());

const pathOf = ({ userId }: TestClient, id: string) => `/api/v1/${userId}/tasks/${id}`;
const versionsOf = async (client: TestClient, id: string) =>
  (await client.get<TaskVersionList>(`${pathOf(client, id)}/versions`)).body;
async function newest(client: TestClient, tool: string): Promise<AuditEntry> {
  const { body } = await client.get<{ entries: AuditEntry[] }>(`./audit?limit=100&tool=${tool}`);
  return body.entries.find(({ kind, success }) => kind === 'executed' && success === true)!;
}
const undo = (client: TestClient, entry: AuditEntry) => client.post(`./audit/${entry.id}/undo`, {});

it('has a version after each change, and each change can be undone', async () => {
  const client = await bench.addOrganization();
  const document_id = await bench.addDocument(client);
  const task = await bench.addTask(client, {
    title: 'Call',
    description: 'the bank',
    due_at: '2026-11-27',
    document_id,
  });
  expect(task.version).toBe(1);
  const created = await newest(client, 'add_task');
  const changed = await client.request<Task>('PUT', pathOf(client, task.id), {
    payload: { title: 'Write', due_at: null, document_id: null },
  });
  expect(changed.body).toMatchObject({ title: 'Write', version: 2 });
  const update = await newest(client, 'update_task');
  expect((await undo(client, created)).error?.code).toBe('changed_since');
  await client.delete(pathOf(client, task.id));
  expect((await versionsOf(client, task.id)).versions).toMatchObject([
    { title: 'Write', version: 2, tool: 'delete_task', replaced_by: client.userId },
    { title: 'Call', description: 'the bank', due_at: '2026-11-27', document_id, version: 1, tool: 'update_task' },
  ]);
  expect((await undo(client, update)).error?.code).toBe('changed_since');

  const deleted = await newest(client, 'delete_task');
  expect((await undo(client, deleted)).status).toBe(200);
  expect((await undo(client, deleted)).status).toBe(200);
  expect((await client.get<Task>(pathOf(client, task.id))).body).toMatchObject({ title: 'Write', version: 2 });
  expect((await undo(client, update)).status).toBe(200);
  expect((await client.get<Task>(pathOf(client, task.id))).body).toEqual(task);
  expect((await undo(client, created)).status).toBe(200);
  expect(await bench.tasksOf(client)).toEqual([]);
});

it('is as it was before a write of the agent once that is undone, and before no other', async () => {
  const client = await bench.addOrganization();
  const [bank, rent] = [await bench.addTask(client, { title: 'bank' }), await bench.addTask(client, { title: 'rent' })];
  const call = (task: Task) => ({ name: 'complete_task', args: { task_id: task.id } });
  bench.script({ calls: [call(bank), call(rent)] }, { text: 'Done.' });
  await bench.send(client, 'bank and rent are done');
  expect((await undo(client, await newest(client, 'complete_task'))).status).toBe(200);
  const done = (await bench.tasksOf(client)).filter(({ is_completed }) => is_completed);
  expect(done.map(({ title }) => title)).toEqual(['bank']);
});

it('is private: nobody else reads its versions or undoes its writes, but an admin', async () => {
  const admin = await bench.addOrganization();
  const member = await bench.addUser('member', admin.organizationId);
  const other = await bench.addUser('member', admin.organizationId);
  const task = await bench.addTask(member, { title: 'mine' });
  await member.request('PUT', pathOf(member, task.id), { payload: { title: 'changed' } });
  const entry = await newest(member, 'update_task');
  expect((await other.get(`${pathOf(other, task.id)}/versions`)).error?.code).toBe('task_not_found');
  expect((await other.get(`${pathOf(member, task.id)}/versions`)).error?.code).toBe('not_your_path');
  expect((await undo(other, entry)).error?.code).toBe('audit_entry_not_found');
  expect((await undo(await bench.addOrganization(), entry)).status).toBe(404);
  expect((await undo(admin, entry)).status).toBe(200);
  expect((await member.get<Task>(pathOf(member, task.id))).body.title).toBe('mine');
});
