import { createHash, randomUUID } from 'node:crypto';

/**
 * A unique id for a call: 24 hex digits, 90 random bits.
 *
 * @example
 * import { newCallId } from '@docwright/agent-core';
 *
 * newCallId(); // '9f1c0e2b7d6a4c3e8b5a1f07'
 */
export function newCallId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}

/**
 * An id for a call in the history of a stateless caller, derived from the caller's id and the call's number. It is the
 * same in every request, so that endpoints can cache the common prefix of requests.
 */
export function callIdFor(callerId: string, number: number): string {
  return createHash('sha256').update(`${number} ${callerId}`).digest('hex').slice(0, 24);
}

/**
 * A tool name that every provider accepts. Providers refuse a transcript with other characters in a tool name, even in a
 * call of an unknown tool.
 */
export function validName(name: string): string {
  const valid = name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
  return valid === '' ? 'unnamed' : valid;
}
