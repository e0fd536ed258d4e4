import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTaskTestBench, type TaskTestBench } from '../../apps/api/src/testing/task-test-bench.ts';
import { testPassword } from '../../apps/api/src/testing/test-app.ts';

let bench: TaskTestBench;
beforeAll(async () => {
  bench = await startTaskTestBench();
});
afterAll(async () => bench.stop());

describe('an admin who is removed', () => {
  it.each([
    ['removed', async (id: string, owner: TaskTestBench['admin']) => owner.delete(`./members/${id}`)],
    [
      'made a viewer',
      async (id: string, owner: TaskTestBench['admin']) => owner.patch(`./members/${id}`, { role: 'viewer' }),
    ],
  ])('does not come back by an invitation of their own when they are %s', async (_how, dismiss) => {
    const owner = await bench.addOrganization();
    const second = await bench.addUser('admin', owner.organizationId);
    const email = `${crypto.randomUUID()}@example.com`;
    const made = await second.post<{ invitation: { token: string } }>('./members', { email, role: 'admin' });
    expect((await owner.get('./invitations')).body).toMatchObject({ total_count: 1 });
    expect((await dismiss(second.userId, owner)).status).toBeLessThan(300);
    expect((await owner.get('./invitations')).body).toMatchObject({ total_count: 0 });
    const { token } = made.body.invitation;
    const payload = { email, name: 'Back', password: testPassword, invitation_token: token };
    expect((await bench.app.inject({ method: 'POST', url: '/v0/auth/register', payload })).statusCode).toBe(400);
    expect((await owner.get<{ total_count: number }>('./members')).body.total_count).toBeLessThanOrEqual(2);
  });

  it('is named beside the invitations that an admin can revoke', async () => {
    const owner = await bench.addOrganization();
    await owner.post('./members', { email: 'friend@example.com', role: 'member' });
    const { invitations } = (await owner.get<{ invitations: [{ id: string; invited_by: object }] }>('./invitations'))
      .body;
    expect(invitations[0].invited_by).toMatchObject({ user_id: owner.userId });
    expect((await owner.delete(`./invitations/${invitations[0].id}`)).status).toBe(204);
    expect((await owner.get('./invitations')).body).toMatchObject({ total_count: 0 });
  });
});

describe('the task agent', () => {
  it.each([
    ['what is due this week?', 1],
    ['add a task: read the contract', 1],
    ['delete the bank call', 0],
  ])('after the message “%s” leaves %i tasks, of one that the model wants to delete', async (message, left) => {
    const client = await bench.addOrganization();
    const task = await bench.addTask(client, { title: 'Call the bank' });
    bench.script({ calls: [{ name: 'delete_task', args: { task_id: task.id } }] }, { text: 'Shall I?' });
    await bench.send(client, message);
    expect(await bench.tasksOf(client)).toHaveLength(left);
  });
});

it('a user of another organization is not added without consent, and no answer reveals that the account exists', async () => {
  const [owner, other] = [await bench.addOrganization(), await bench.addOrganization()];
  const answers = [other.email, 'nobody-at-all@example.com'].map(
    async (email) => (await owner.post<object>('./members', { email, role: 'member' })).body,
  );
  const [known, unknown] = await Promise.all(answers);
  expect(Object.keys(known!)).toEqual(Object.keys(unknown!));
  expect((await owner.get('./members')).body).toMatchObject({ total_count: 1 });
});
