import { createHmac, timingSafeEqual } from 'node:crypto';

/** Requests that are older or from the future are refused, so that nobody can repeat them. */
const toleranceSeconds = 5 * 60;

/** The headers of a request, in lower case. */
type Headers = Record<string, string | string[] | undefined>;

/** Whether a request is signed as Standard Webhooks defines it, with one of the secrets of its sender. */
export function isSigned(body: Buffer | string, headers: Headers, secret: string, now = Date.now()): boolean {
  const header = (name: string) => String(headers[name] ?? '');
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (!/^\d+$/u.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
