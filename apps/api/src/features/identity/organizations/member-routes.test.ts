import type { addMemberAnswer, Member, Membership } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let harness: TestApp;
let admin: TestClient;
beforeAll(async () => {
  harness = await startTestApp();
  admin = harness.admin;
});
afterAll(async () => {
  await harness.stop();
});

const members = async (client: TestClient) => (await client.get<{ members: Member[] }>('./members')).body.members;

describe('members', () => {
  test('a colleague from another organization joins at once, and only once', async () => {
    const colleague = await harness.addUser('viewer');
    const { body: second } = await admin.post<Membership>('/v0/orgs', { name: 'Second' });
    const path = `/v0/orgs/${second.id}/members`;
    const added = await admin.post<{ member: Member }>(path, { email: colleague.email, role: 'member' });
    expect(added.status).toBe(201);
    expect(added.body.member).toMatchObject({ user_id: colleague.userId, role: 'member' });
    expect((await admin.post(path, { email: colleague.email, role: 'viewer' })).error?.code).toBe('already_member');
    expect((await colleague.get(`/v0/orgs/${second.id}`)).status).toBe(200);
  });

  test('are changed only by admins, and seen by all', async () => {
    const member = await harness.addUser('member');
    const viewer = await harness.addUser('viewer');
    expect((await member.post('./members', { email: 'x@example.com', role: 'viewer' })).status).toBe(403);
    expect((await member.patch(`./members/${viewer.userId}`, { role: 'admin' })).status).toBe(403);
    expect((await member.patch(`./members/${member.userId}`, { role: 'admin' })).status).toBe(403);
    expect((await member.delete(`./members/${viewer.userId}`)).status).toBe(403);
    expect((await viewer.patch('./', { name: 'Mine' })).status).not.toBe(200);
    expect((await members(viewer)).map(({ user_id }) => user_id)).toContain(member.userId);
  });

  test('a new role takes effect at once', async () => {
    const user = await harness.addUser('member');
    const changed = await admin.patch<Member>(`./members/${user.userId}`, { role: 'viewer' });
    expect(changed.body.role).toBe('viewer');
    expect((await user.get<Membership>(`/v0/orgs/${admin.organizationId}`)).body.role).toBe('viewer');
  });

  test('a removed or leaving member loses access at once', async () => {
    const user = await harness.addUser('member');
    expect((await user.delete(`./members/${user.userId}`)).status).toBe(204);
    expect((await user.get('./members')).status).toBe(404);
    expect((await admin.delete(`./members/${user.userId}`)).status).toBe(404);
  });

  test('the last admin cannot leave, even if several leave at once', async () => {
    const own = await harness.addOrganization();
    expect((await own.delete(`./members/${own.userId}`)).error?.code).toBe('last_admin');
    expect((await own.patch(`./members/${own.userId}`, { role: 'viewer' })).error?.code).toBe('last_admin');

    const invited = await own.post<z.infer<typeof addMemberAnswer>>('./members', { email: admin.email, role: 'admin' });
    const token = 'invitation' in invited.body ? invited.body.invitation.token : '';
    expect((await admin.post('/v0/invitations/accept', { token })).status).toBe(200);
    const other = admin.in(own.organizationId, 'admin');
    const both = await Promise.all([
      own.delete(`./members/${own.userId}`),
      other.patch(`./members/${other.userId}`, { role: 'member' }),
    ]);
    expect(both.filter((answer) => answer.status < 300)).toHaveLength(1);
  });
});

describe('organizations of others', () => {
  test.each(['', '/members', '/access_tokens'])('%s is 404, whether it exists or not', async (path) => {
    const stranger = await harness.addOrganization();
    const theirs = await stranger.get(`/v0/orgs/${admin.organizationId}${path}`);
    const nobodys = await stranger.get(`/v0/orgs/0123456789abcdef01234567${path}`);
    const malformed = await stranger.get(`/v0/orgs/..%2f${path}`);
    expect([theirs.status, nobodys.status, malformed.status]).toEqual([404, 404, 404]);
    expect(theirs.error?.message).toBe(nobodys.error?.message);
  });

  test('an id in capitals is the same id', async () => {
    expect((await admin.get(`/v0/orgs/${admin.organizationId.toUpperCase()}`)).status).toBe(200);
  });
});

test('an organization is created, renamed and listed', async () => {
  const founder = await harness.addUser('viewer');
  const founded = await founder.post<Membership>('/v0/orgs', { name: ' Books ' });
  expect(founded.body).toMatchObject({ name: 'Books', role: 'admin', auto_create_default: false });
  const path = `/v0/orgs/${founded.body.id}`;
  const changed = await founder.patch<Membership>(path, { auto_create_default: true });
  expect(changed.body).toMatchObject({ name: 'Books', auto_create_default: true });
  const listed = await founder.get<{ organizations: Membership[]; total_count: number }>('/v0/orgs?skip=1&limit=1');
  expect(listed.body.total_count).toBe(2);
  expect(listed.body.organizations).toMatchObject([{ id: founded.body.id }]);
});
