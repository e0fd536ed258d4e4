import type { FastifyRequest } from 'fastify';
import { accessTokenPrefix } from '../access-tokens/access-token-service.ts';

export const sessionCookie = 'docwright_session';

export type Credentials = { kind: 'bearer' | 'cookie'; jwt: string } | { kind: 'access_token'; token: string };

/** The credentials of a request: `Authorization: Bearer`, `X-Api-Key`, else the cookie. */
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
  return cookie ? { kind: 'cookie', jwt: cookie } : undefined;
}

/**
 * Whether the request can use the cookie. Browsers send cookies by themselves, so writes must come from our own pages.
 */
export function canUseCookie({ method, headers: { origin, host } }: FastifyRequest): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
