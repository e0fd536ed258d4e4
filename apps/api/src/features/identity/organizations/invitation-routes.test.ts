import type { addMemberAnswer, Invitation, Member, Membership, Role } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { startTestApp, testPassword, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => {
  await harness.stop();
});

type Added = z.infer<typeof addMemberAnswer>;

async function invite(by: TestClient, email: string, role: Role = 'member'): Promise<string> {
  const { body } = await by.post<Added>('./members', { email, role });
  if (!('invitation' in body)) throw new Error('no invitation');
  return body.invitation.token;
}
const accept = (client: TestClient, token: string) => client.post<Membership>('/v0/invitations/accept', { token });
const listed = async (client: TestClient) =>
  (await client.get<{ invitations: Invitation[]; total_count: number }>('./invitations')).body;
const register = async (email: string, invitation_token: string) => {
  const payload = { email, name: 'New', password: testPassword, invitation_token };
  return await harness.app.inject({ method: 'POST', url: '/v0/auth/register', payload });
};
/** Creates an organization with a second admin. */
async function twoAdmins() {
  const owner = await harness.addOrganization();
  return { owner, second: await harness.addUser('admin', owner.organizationId) };
}

describe('an invitation', () => {
  test('is listed with its inviter and without its token, and can be revoked', async () => {
    const owner = await harness.addOrganization();
    const token = await invite(owner, 'later@example.com', 'viewer');
    const { invitations, total_count } = await listed(owner);
    expect(total_count).toBe(1);
    expect(invitations[0]).toMatchObject({
      email: 'later@example.com',
      role: 'viewer',
      invited_by: { user_id: owner.userId },
    });
    expect(JSON.stringify(invitations)).not.toContain(token);
    expect((await owner.delete(`./invitations/${invitations[0]?.id}`)).status).toBe(204);
    expect((await owner.delete(`./invitations/${invitations[0]?.id}`)).status).toBe(404);
    expect((await register('later@example.com', token)).json()).toMatchObject({
      error: { code: 'invitation_not_valid' },
    });
  });

  test('is seen and revoked only by admins, never by those of another organization', async () => {
    const owner = await harness.addOrganization();
    const member = await harness.addUser('member', owner.organizationId);
    await invite(owner, 'somebody@example.com');
    const [open] = (await listed(owner)).invitations;
    expect((await member.get('./invitations')).error?.code).toBe('admin_required');
    expect((await member.delete(`./invitations/${open?.id}`)).error?.code).toBe('admin_required');
    expect((await harness.admin.delete(`./invitations/${open?.id}`)).status).toBe(404);
  });

  test('ends when its inviter is removed', async () => {
    const { owner, second } = await twoAdmins();
    const token = await invite(second, 'back-door@example.com', 'admin');
    expect((await owner.delete(`./members/${second.userId}`)).status).toBe(204);
    expect((await listed(owner)).total_count).toBe(0);
    expect((await register('back-door@example.com', token)).statusCode).toBe(400);
  });

  test('ends when its inviter is no longer an admin, even if they become one again', async () => {
    const { owner, second } = await twoAdmins();
    const token = await invite(second, 'friend@example.com', 'admin');
    await owner.patch(`./members/${second.userId}`, { role: 'member' });
    expect((await register('friend@example.com', token)).statusCode).toBe(400);
    await owner.patch(`./members/${second.userId}`, { role: 'admin' });
    expect((await register('friend@example.com', token)).statusCode).toBe(400);
  });

  test('does not work after its inviter lost the role in another way', async () => {
    const { owner, second } = await twoAdmins();
    const token = await invite(second, 'race@example.com', 'admin');
    // The removal has not reached the invitations yet.
    const members = { user_id: new Types.ObjectId(second.userId) };
    await harness.connection
      .collection('organizations')
      .updateOne({ 'members.user_id': members.user_id }, { $pull: { members } } as never);
    expect((await register('race@example.com', token)).statusCode).toBe(400);
    expect((await owner.get<{ members: Member[] }>('./members')).text).not.toContain('race@example.com');
  });
});

describe('a user with an account', () => {
  test('joins nothing without consent, and the answer does not reveal that they have an account', async () => {
    const owner = await harness.addOrganization();
    const stranger = await harness.addOrganization();
    const known = await owner.post<Added>('./members', { email: stranger.email, role: 'member' });
    const unknown = await owner.post<Added>('./members', { email: 'nobody-at-all@example.com', role: 'member' });
    expect([known.status, unknown.status]).toEqual([201, 201]);
    const shape = ({ body }: typeof known) => ('invitation' in body ? Object.keys(body.invitation) : []);
    expect(shape(known)).toEqual(shape(unknown));
    expect(shape(known)).toContain('token');
    expect((await stranger.get(`/v0/orgs/${owner.organizationId}`)).status).toBe(404);
  });

  test('joins by accepting once, only with their own address', async () => {
    const owner = await harness.addOrganization();
    const stranger = await harness.addOrganization();
    const token = await invite(owner, stranger.email, 'viewer');
    expect((await accept(harness.admin, token)).error?.code).toBe('invitation_not_valid');
    expect((await accept(stranger, token)).body).toMatchObject({ id: owner.organizationId, role: 'viewer' });
    expect((await accept(stranger, token)).error?.code).toBe('invitation_not_valid');
    expect((await stranger.get(`/v0/orgs/${owner.organizationId}`)).status).toBe(200);
  });

  test('cannot accept with an access token', async () => {
    const owner = await harness.addOrganization();
    const stranger = await harness.addOrganization();
    const token = await invite(owner, stranger.email);
    const robot = await stranger.post<{ token: string }>('./access_tokens', { name: 'robot', lifetime_days: 1 });
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/v0/invitations/accept',
      headers: { 'x-api-key': robot.body.token },
      payload: { token },
    });
    expect(answer.json()).toMatchObject({ error: { code: 'session_needed' } });
  });
});
