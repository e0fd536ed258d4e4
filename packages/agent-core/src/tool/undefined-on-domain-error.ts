import { DomainError } from '@docwright/contract';

/**
 * The value of `work`, or undefined if it fails as expected, with a DomainError: the object was deleted, or a later step
 * reports the failure itself. Throws any other error.
 */
export async function undefinedOnDomainError<Value>(
  work: () => Promise<Value> | Value | undefined,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
