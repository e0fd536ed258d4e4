import type { Extraction, ReplaceLevel, Role } from '@docwright/contract';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import type { Actor } from '../../identity/index.ts';

/** The data to resume an extraction that a request started, if its process dies. */
export interface RequestedExtraction {
  user_id: string;
  role: Role;
  /** The call of the write. If a result was stored under it, the extraction is not run again. */
  call_id: string;
  /** Which reviewed results it can replace, as long as the result is the same as at the start. */
  replace: ReplaceLevel;
  present: PresentResult | null;
}

type PresentResult = Pick<Extraction, 'version' | 'is_edited' | 'is_verified'>;

/** Undefined for an extraction of a turn or of a run, which is resumed together with it. */
export function requestedExtraction(
  { userId, role }: Actor,
  origin: WriteOrigin | undefined,
  replace: ReplaceLevel,
  present: Extraction | undefined,
): RequestedExtraction | undefined {
  if (origin?.source?.kind !== 'api' || origin.turn_id !== origin.call_id) return undefined;
  return { user_id: userId, role, call_id: origin.call_id, replace, present: presentResult(present) };
}

export function presentResult(extraction: Extraction | undefined): PresentResult | null {
  if (extraction === undefined) return null;
  const { version, is_edited, is_verified } = extraction;
  return { version, is_edited, is_verified };
}
