import { DomainError, type Extraction, type ReplaceLevel } from '@docwright/contract';
import { versionConflict } from './extraction-errors.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';

type Replaceable = Pick<Extraction, 'version' | 'is_verified' | 'is_edited'>;

/** Throws if the current result must not be replaced. */
export type ReplaceCheck = (present: Replaceable | undefined) => void;

/**
 * Checks whether a new extraction is allowed to replace the result that exists at the start, and throws if not. The
 * returned check is made again before the replacement. `level` covers only the result at the start: a correction that a
 * user makes while the model works is never replaced.
 *
 * @param seen the version that the user saw; another one is never replaced
 */
export function createReplaceCheck(atStart: Replaceable | undefined, level: ReplaceLevel, seen?: number): ReplaceCheck {
  requireSeen(atStart, seen);
  requireReplaceable(atStart, level);
  return (present) => {
    requireSeen(present, seen);
    const isSame =
      present !== undefined &&
      atStart?.version === present.version &&
      atStart.is_verified === present.is_verified &&
      atStart.is_edited === present.is_edited;
    requireReplaceable(present, isSame ? level : 'unreviewed');
  };
}

/** Throws `version_conflict` if the result is at another version than the user saw; without one, nothing was seen. */
function requireSeen(present: Pick<Extraction, 'version'> | undefined, seen: number | undefined): void {
  if (seen !== undefined && present !== undefined && present.version !== seen) throw versionConflict(present.version);
}

/** Makes content of a new version that follows the one that the user saw alone. */
export function ifSeen<Content>(content: Content, seen: number | undefined) {
  return (present: Pick<Extraction, 'version'> | undefined): Content => {
    requireSeen(present, seen);
    return content;
  };
}

/** Throws `result_verified` or `result_edited` if `level` does not allow to replace this result. */
export function requireReplaceable(present: Replaceable | undefined, level: ReplaceLevel): void {
  if (present === undefined) return;
  if (present.is_verified && level !== 'verified') {
    throw new DomainError(
      'conflict',
      'result_verified',
      'A user has verified this result. To replace it anyway, run the extraction with replace: "verified"; the verified version is kept among its versions.',
    );
  }
  if (present.is_edited && level === 'unreviewed') {
    throw new DomainError(
      'conflict',
      'result_edited',
      'A user has edited this result. To replace it anyway, run the extraction with replace: "edited"; the edited version is kept among its versions.',
    );
  }
}

/**
 * Whether a run without a user extracts. Nobody asked it about this document, so a result that a user verified counts
 * even under another revision of the prompt.
 */
export function isUnattended(origin: WriteOrigin | undefined): boolean {
  const kind = origin?.source?.kind ?? 'api';
  return kind === 'run' || kind === 'schedule' || kind === 'arrival';
}
