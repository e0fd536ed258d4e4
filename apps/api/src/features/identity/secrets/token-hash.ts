import { createHmac, randomBytes } from 'node:crypto';

/** 256 random bits, safe in a URL. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Keyed, so that stolen hashes cannot be used to check guesses. */
export function createTokenHasher(key: Buffer): (token: string) => string {
  return (token) => createHmac('sha256', key).update(token).digest('base64url');
}
