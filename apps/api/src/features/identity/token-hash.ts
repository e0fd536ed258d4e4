import { createHmac, randomBytes } from 'node:crypto';

/** 256 random bits, safe in an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Keyed, so that the stored hashes alone let nobody check a guess. */
export function createTokenHasher(key: Buffer): (token: string) => string {
  return (token) => createHmac('sha256', key).update(token).digest('base64url');
}
