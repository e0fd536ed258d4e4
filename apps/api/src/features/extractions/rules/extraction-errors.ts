import { DomainError } from '@docwright/contract';

/** @param base the version that the request names; null if it names no version and would revoke what another user has verified */
export function versionConflict(current: number, base?: number | null): DomainError {
  const message =
    base === null
      ? `Somebody else has verified version ${current} of this result. Send base_version ${current} to take that back.`
      : `The result has changed and is now at version ${current}. Read it again and repeat the change with that base_version.`;
  return new DomainError('conflict', 'version_conflict', message, { current_version: current });
}

export function extractionOrThrow<Value>(extraction: Value | undefined): Value {
  if (extraction) return extraction;
  throw extractionNotFound();
}

export function extractionNotFound(): DomainError {
  return new DomainError('not_found', 'extraction_not_found', 'There is no result of this prompt on this document.');
}

export function versionOrThrow<Value>(found: Value | undefined, version: number): Value {
  if (found !== undefined) return found;
  throw new DomainError('not_found', 'version_not_found', `There is no version ${version} of this result.`);
}
