import { createHash, randomUUID } from 'node:crypto';

/** An id for a call that nothing else will ever have: 24 hex digits, 90 bits of them random. */
export function newCallId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}

/**
 * Our id for a call in a history that a caller holds, from the caller's id and the call's number in it: the same in every
 * request, so that endpoints which cache what requests have in common find it again.
 */
export function callIdFor(callerId: string, number: number): string {
  return createHash('sha256').update(`${number} ${callerId}`).digest('hex').slice(0, 24);
}

/** Providers refuse a transcript with other characters in a tool's name, even where the call was refused for it. */
const notInNames = /[^\w-]/g;

/** A tool's name as every provider takes it. */
export function validName(name: string): string {
  const valid = name.replaceAll(notInNames, '_').slice(0, 64);
  return valid === '' ? 'unnamed' : valid;
}
