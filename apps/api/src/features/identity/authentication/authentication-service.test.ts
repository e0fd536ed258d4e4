import type { Role } from '@docwright/contract';
import { expect, it } from 'vitest';
import { lesserRole, requireAdmin, requireSession, requireWriter, type Principal } from '../rights/actor.ts';
import { createAuthenticationService } from './authentication-service.ts';

const [here, elsewhere] = ['a'.repeat(24), 'b'.repeat(24)];
const token = { id: 't', name: 'robot', organizationId: here, role: 'member', scopes: [] } as const;
const userPrincipal: Principal = { userId: 'u', sessionId: 's' };
const program: Principal = { userId: 'u', token };

function service({ role = 'admin', requiresSecondFactor = false, open = true, organizations = [here] } = {}) {
  const access = { role: role as Role, requiresSecondFactor };
  return createAuthenticationService({
    organizations: {
      accessOf: async (id: string) => (organizations.includes(id) ? access : undefined),
      roleOf: async (id: string) => (organizations.includes(id) ? access.role : undefined),
      listForMember: async () => organizations.map((id) => ({ organization: { id } })),
    } as never,
    accessTokens: {
      use: async (hash: string) => (hash === 'hash of known' ? { ...token, userId: 'u' } : undefined),
      isValid: async (id: string) => open && id === 't',
    } as never,
    sessionTokens: {
      read: async (jwt: string) => (jwt === 'jwt' ? userPrincipal : undefined),
      isOpen: async (id: string, userId: string) => open && id === 's' && userId === 'u',
    } as never,
    hashToken: (text) => `hash of ${text}`,
  });
}

it('identifies callers by their token or session', async () => {
  const known = service();
  const grant = { ...token, userId: 'u' };
  expect(await known.authenticate({ kind: 'access_token', token: 'known' })).toEqual({ userId: 'u', token: grant });
  expect(await known.authenticate({ kind: 'access_token', token: 'other' })).toBeUndefined();
  expect(await known.authenticate({ kind: 'cookie', jwt: 'jwt' } as never)).toBe(userPrincipal);
  expect(await known.authenticate({ kind: 'cookie', jwt: 'known' } as never)).toBeUndefined();
});

it('gives callers their role, limits tokens to their own, and reports other organizations as not found', async () => {
  const none = { kind: 'not_found', code: 'not_found' };
  expect(await service().actorIn(userPrincipal, here)).toStrictEqual({
    organizationId: here,
    userId: 'u',
    role: 'admin',
  });
  const robot = { organizationId: here, userId: 'u', role: 'member', token: { id: 't', name: 'robot' } };
  expect(await service().actorIn(program, here)).toStrictEqual(robot);
  await expect(service().actorIn(userPrincipal, elsewhere)).rejects.toMatchObject(none);
  await expect(service().actorIn(userPrincipal, 'mine')).rejects.toMatchObject(none);
  // Even if its owner is a member.
  await expect(service({ organizations: [here, elsewhere] }).actorIn(program, elsewhere)).rejects.toMatchObject(none);
});

it('acts for an absent user with the lesser of two roles, and not for one who has left', async () => {
  const away = { organizationId: here, userId: 'u' };
  expect(await service().actorOf(away, 'member')).toEqual({ ...away, role: 'member' });
  expect(await service({ role: 'viewer' }).actorOf(away, 'admin')).toEqual({ ...away, role: 'viewer' });
  expect(await service({ organizations: [] }).actorOf(away, 'admin')).toBeUndefined();
});

it('requires a second factor of users if the organization does, and never of programs', async () => {
  const strict = service({ requiresSecondFactor: true });
  const shown = { ...userPrincipal, secondFactor: true };
  await expect(strict.actorIn(userPrincipal, here)).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'second_factor_required',
  });
  const actor = await strict.actorIn(shown, here);
  expect(actor.role).toBe('admin');
  expect((await strict.actorIn(program, here)).role).toBe('member');
  expect([
    await strict.isStillValid(userPrincipal, actor),
    await strict.isStillValid(shown, actor),
    await strict.isStillValid(program, actor),
  ]).toEqual([false, true, true]);
});

it('detects that a session, a token or a membership has ended', async () => {
  const actor = { organizationId: here, userId: 'u', role: 'member' } as const;
  expect([await service().isStillValid(userPrincipal, actor), await service().isStillValid(program, actor)]).toEqual([
    true,
    true,
  ]);
  const closed = service({ open: false });
  expect([await closed.isStillValid(userPrincipal, actor), await closed.isStillValid(program, actor)]).toEqual([
    false,
    false,
  ]);
  expect(await service().isStillValid({ userId: 'u' }, actor)).toBe(false);
  expect(await service({ organizations: [] }).isStillValid(userPrincipal, actor)).toBe(false);
});

it("acts in the token's organization, else in the caller's oldest membership", async () => {
  const both = service({ organizations: [elsewhere, here] });
  expect((await both.actorInDefaultOrganization(userPrincipal)).organizationId).toBe(elsewhere);
  expect((await both.actorInDefaultOrganization(program)).organizationId).toBe(here);
  await expect(service({ organizations: [] }).actorInDefaultOrganization(userPrincipal)).rejects.toMatchObject({
    kind: 'not_found',
    code: 'no_organization',
    message: 'You belong to no organization. Create one first.',
  });
});

it('rejects what a role or a token is not allowed to do', () => {
  const as = (role: Role) => ({ organizationId: here, userId: 'u', role });
  const forbidden = (code: string) =>
    expect.objectContaining({ kind: 'forbidden', code, message: expect.stringMatching(/./u) });
  expect(() => requireWriter(as('viewer'))).toThrow(forbidden('viewer_cannot_write'));
  for (const role of ['member', 'admin'] as const) expect(() => requireWriter(as(role))).not.toThrow();
  for (const role of ['viewer', 'member'] as const)
    expect(() => requireAdmin(as(role))).toThrow(forbidden('admin_required'));
  expect(() => requireAdmin(as('admin'))).not.toThrow();
  expect(requireSession(userPrincipal)).toBe('s');
  expect(() => requireSession(program)).toThrow(forbidden('session_needed'));
  const roles = ['viewer', 'member', 'admin'] as const;
  const lesser = roles.map((one) => roles.map((other) => lesserRole(one, other)));
  expect(lesser).toEqual([
    ['viewer', 'viewer', 'viewer'],
    ['viewer', 'member', 'member'],
    ['viewer', 'member', 'admin'],
  ]);
});
