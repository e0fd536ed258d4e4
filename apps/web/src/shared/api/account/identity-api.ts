import { queryOptions } from '@tanstack/react-query';
import type { changePasswordBody, loginBody, Me, passwordAndCodeBody, registerBody } from '@docwright/contract';
import type { z } from 'zod';
import { ApiError } from '../../http/api-error.ts';
import { requestJson, send } from '../../http/http.ts';
import { claimStorage } from '../../ui/browser/stored-value.ts';

/** The server accepts no shorter password. */
export const minPasswordLength = 12;

type RegisterBody = z.input<typeof registerBody>;

/** The signed-in user; null without a session. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      const me = await requestJson('/v0/me', { signal });
      claimStorage(me.user.id);
      return me;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export function signIn(body: z.input<typeof loginBody>) {
  return requestJson('/v0/auth/login', { method: 'POST', body });
}

export function register(body: RegisterBody) {
  return requestJson('/v0/auth/register', { method: 'POST', body });
}

/** Joins the inviting organization; the invitation must name the user's e-mail address. */
export async function acceptInvitation(token: string): Promise<void> {
  await send('/v0/invitations/accept', { method: 'POST', body: { token } });
}

export async function signOut(): Promise<void> {
  await send('/v0/auth/logout', { method: 'POST' });
}

/** Ends the user's other sessions. */
export async function changePassword(body: z.input<typeof changePasswordBody>): Promise<void> {
  await send('/v0/auth/password', { method: 'PUT', body });
}

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => requestJson('/v0/auth/second_factor', { signal }),
});

/** Creates a secret for an authenticator app; it takes effect once a code is confirmed. */
export function proposeSecondFactor(body: { password: string }) {
  return requestJson('/v0/auth/second_factor/totp', { method: 'POST', body });
}

export function confirmSecondFactor(body: { code: string }) {
  return requestJson('/v0/auth/second_factor/totp/confirm', { method: 'POST', body });
}

export function renewRecoveryCodes(body: z.input<typeof passwordAndCodeBody>) {
  return requestJson('/v0/auth/second_factor/recovery_codes', { method: 'POST', body });
}

export async function removeSecondFactor(body: z.input<typeof passwordAndCodeBody>): Promise<void> {
  await send('/v0/auth/second_factor/remove', { method: 'POST', body });
}

/** The user's sessions, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => requestJson(`/v0/auth/sessions`, { query: { limit: 100 }, signal }),
});

export async function endSession(sessionId: string): Promise<void> {
  await send(`/v0/auth/sessions/${sessionId}`, { method: 'DELETE' });
}

/** Ends all sessions, this one too; `accessTokens` also revokes the user's access tokens. */
export async function endSessions({ accessTokens }: { accessTokens: boolean }): Promise<void> {
  await send(`/v0/auth/sessions`, { query: { access_tokens: accessTokens }, method: 'DELETE' });
}

/** Set when the user signs out: without it, a missing session has expired or was revoked. */
export const signedOutKey = ['signed-out'];
