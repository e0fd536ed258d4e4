import { DomainError } from '@docwright/contract';

/** Returns undefined for an object that was deleted meanwhile. */
export async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
