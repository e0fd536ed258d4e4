import { randomBytes } from 'node:crypto';

/** An id for a call that nothing else will ever have: 24 hex digits. */
export function newCallId(): string {
  return randomBytes(12).toString('hex');
}
