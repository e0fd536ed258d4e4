import { randomUUID } from 'node:crypto';

/** An id for a call that nothing else will ever have: 24 hex digits, 90 bits of them random. */
export function newCallId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}
