import type { FastifyRequest } from 'fastify';

/**
 * Whether the browser's connection was encrypted: the first entry of the proxy chain. Trusted from all senders, since it can only
 * make the cookie stricter, and browsers ignore transport security that they receive without encryption.
 */
export function isEncrypted({ headers, protocol }: FastifyRequest): boolean {
  const first = [headers['x-forwarded-proto']].flat()[0]?.split(',')[0]?.trim().toLowerCase();
  const forwarded = /(?:^|;)\s*proto="?(\w+)/i.exec(headers.forwarded?.split(',')[0] ?? '')?.[1]?.toLowerCase();
  return [first, forwarded, protocol].includes('https');
}
