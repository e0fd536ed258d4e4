import type { JWT } from '@fastify/jwt';
import type { Device, SessionRepository } from './session-repository.ts';

/** The lifetime of a session. */
export const sessionLifetimeSeconds = 14 * 86_400;

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/** JWTs backed by stored sessions: the signature proves the issuer, the session whether it is still open. */
export function createSessionTokens({ jwt, sessions }: { jwt: JWT; sessions: SessionRepository }) {
  return {
    /** @param secondFactor whether the sign-in used a second factor. */
    async issue(userId: string, device: Device, secondFactor = false): Promise<string> {
      const expiresAt = new Date(Date.now() + sessionLifetimeSeconds * 1000);
      const sessionId = await sessions.create(userId, expiresAt, device, secondFactor);
      return jwt.sign({ sub: userId, sid: sessionId }, { expiresIn: sessionLifetimeSeconds });
    },

    isOpen: (sessionId: string, userId: string): Promise<boolean> => sessions.isOpen(sessionId, userId),

    /** Whom the token names, whether or not its session is open. Undefined for a forged or expired token. */
    userOf: (token: string): string | undefined => verified(jwt, token)?.sub,

    /** Undefined for a forged, expired or logged-out token. */
    async read(token: string): Promise<{ userId: string; sessionId: string; secondFactor: boolean } | undefined> {
      const claims = verified(jwt, token);
      if (claims === undefined) return undefined;
      const session = await sessions.find(claims.sid, claims.sub);
      return session && { userId: claims.sub, sessionId: claims.sid, ...session };
    },
  };
}

function verified(jwt: JWT, token: string): { sub: string; sid: string } | undefined {
  try {
    return jwt.verify<{ sub: string; sid: string }>(token);
  } catch {
    return undefined;
  }
}
