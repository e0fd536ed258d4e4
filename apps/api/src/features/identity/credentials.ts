import type { FastifyRequest } from 'fastify';

export const sessionCookie = 'docwright_session';
/** How an access token begins, which tells it from a JWT and lets scanners of leaked secrets find it. */
export const accessTokenPrefix = 'dw_';

export type Credentials = { kind: 'bearer' | 'cookie'; jwt: string } | { kind: 'access_token'; token: string };

/** What a request signs in with: `Authorization: Bearer`, `X-Api-Key`, else the cookie. */
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
 * Whether the request may rest on a cookie: a browser sends that by itself, so a write must come
 * from our own pages.
 */
export function mayUseCookie({ method, headers: { origin, host } }: FastifyRequest): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
