import { DomainError, type Extraction, type ReplaceLevel } from '@docwright/contract';

/** Throws where the present result must not be replaced. */
export type ReplaceCheck = (present: Extraction | undefined) => void;

/**
 * Whether a new extraction is allowed to take the place of the present result. Throws at once where it is not; the check
 * it gives is made again on the result that would go. What was allowed holds for the result that stood there at the
 * start: what a person makes right while the model works is never replaced.
 */
export function replaceCheck(atStart: Extraction | undefined, level: ReplaceLevel): ReplaceCheck {
  requireReplaceable(atStart, level);
  return (present) => {
    const isSame =
      present !== undefined &&
      atStart?.version === present.version &&
      atStart.is_verified === present.is_verified &&
      atStart.is_edited === present.is_edited;
    requireReplaceable(present, isSame ? level : 'unreviewed');
  };
}

function requireReplaceable(present: Extraction | undefined, level: ReplaceLevel): void {
  if (present === undefined) return;
  if (present.is_verified && level !== 'verified') {
    throw new DomainError(
      'conflict',
      'result_verified',
      'A person has verified this result. To replace it all the same, run the extraction with replace: "verified"; the verified version is kept among its versions.',
    );
  }
  if (present.is_edited && level === 'unreviewed') {
    throw new DomainError(
      'conflict',
      'result_edited',
      'A person has edited this result. To replace it all the same, run the extraction with replace: "edited"; the edited version is kept among its versions.',
    );
  }
}
