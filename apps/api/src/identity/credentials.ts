import { DomainError } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';

export const sessionCookie = 'docwright_session';
/** How an access token begins, which tells it from a JWT and lets scanners of leaked secrets find it. */
export const accessTokenPrefix = 'dw_';

export type Credentials = { kind: 'bearer' | 'cookie'; jwt: string } | { kind: 'access_token'; token: string };

/**
 * What a request signs in with: `Authorization: Bearer`, `X-Api-Key`, else the cookie.
 * A browser sends the cookie by itself, so a write that rests on it must come from our own pages.
 * @throws DomainError forbidden for such a write with a foreign or missing Origin.
 */
export function readCredentials(request: FastifyRequest): Credentials | undefined {
  const [scheme, value] = request.headers.authorization?.split(' ', 2) ?? [];
  if (scheme?.toLowerCase() === 'bearer' && value) {
    return value.startsWith(accessTokenPrefix)
      ? { kind: 'access_token', token: value }
      : { kind: 'bearer', jwt: value };
  }
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey === 'string') return { kind: 'access_token', token: apiKey };
  const cookie = request.cookies[sessionCookie];
  if (!cookie) return undefined;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !isSameOrigin(request)) {
    throw new DomainError(
      'forbidden',
      'cross_origin_write',
      'A change made with the session cookie must come from this site: its Origin header is foreign or missing.',
    );
  }
  return { kind: 'cookie', jwt: cookie };
}

function isSameOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
