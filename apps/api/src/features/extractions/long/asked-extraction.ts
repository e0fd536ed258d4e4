import type { Extraction, ReplaceLevel, Role } from '@docwright/contract';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import type { Actor } from '../../identity/index.ts';

/** An extraction that a request asked for: what it takes to go on when its process has died. */
export interface AskedExtraction {
  user_id: string;
  role: Role;
  /** Of the write; a result that was stored under it is not made again. */
  call_id: string;
  /** What of a person's work it replaces, as long as the result that stood there at the start is still the same. */
  replace: ReplaceLevel;
  present: PresentResult | null;
}

type PresentResult = Pick<Extraction, 'version' | 'is_edited' | 'is_verified'>;

/** Undefined for an extraction of a turn or of a run, which resumes with it. */
export function askedExtraction(
  { userId, role }: Actor,
  origin: WriteOrigin | undefined,
  replace: ReplaceLevel,
  present: Extraction | undefined,
): AskedExtraction | undefined {
  if (origin?.source?.kind !== 'api' || origin.turn_id !== origin.call_id) return undefined;
  return { user_id: userId, role, call_id: origin.call_id, replace, present: presentResult(present) };
}

export function presentResult(extraction: Extraction | undefined): PresentResult | null {
  if (extraction === undefined) return null;
  const { version, is_edited, is_verified } = extraction;
  return { version, is_edited, is_verified };
}
