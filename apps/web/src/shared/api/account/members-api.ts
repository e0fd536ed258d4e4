import { queryOptions } from '@tanstack/react-query';
import type { Member, Role } from '@docwright/contract';
import { requestJson, send } from '../../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/members` as const;

export const membersKey = (orgId: string) => ['members', orgId];

export function membersQuery(orgId: string) {
  return queryOptions({
    queryKey: membersKey(orgId),
    queryFn: ({ signal }) => requestJson(path(orgId), { query: { limit: 100 }, signal }),
    staleTime: 60_000,
  });
}

/** Adds a user with an account at once; for anyone else the answer holds an invitation. */
export function addMember(orgId: string, body: { email: string; role: Role }) {
  return requestJson(path(orgId), { method: 'POST', body });
}

export function changeRole(orgId: string, userId: string, role: Role): Promise<Member> {
  return requestJson(`${path(orgId)}/${userId}`, { method: 'PATCH', body: { role } });
}

export async function removeMember(orgId: string, userId: string): Promise<void> {
  await send(`${path(orgId)}/${userId}`, { method: 'DELETE' });
}

/** Ends a member's sessions and revokes the access tokens they created in this organization. */
export async function signOutMember(orgId: string, userId: string): Promise<void> {
  await send(`${path(orgId)}/${userId}/sessions`, { method: 'DELETE' });
}

export const invitationsKey = (orgId: string) => ['invitations', orgId];

/** Unused invitations; admins only. */
export function invitationsQuery(orgId: string) {
  return queryOptions({
    queryKey: invitationsKey(orgId),
    queryFn: ({ signal }) => requestJson(`/v0/orgs/${orgId}/invitations`, { query: { limit: 100 }, signal }),
  });
}

export async function revokeInvitation(orgId: string, invitationId: string): Promise<void> {
  await send(`/v0/orgs/${orgId}/invitations/${invitationId}`, { method: 'DELETE' });
}
