import { randomUUID } from 'node:crypto';
import {
  blockingReasons,
  type Release,
  type ReleaseReason,
  type ReleaseState,
  type WithdrawnBecause,
} from '@docwright/contract';
import { isComplete } from '@docwright/documents/long';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import type { ReviewFacts } from '../../value-risk/index.ts';
import type { ExtractionRecord, ExtractionVersionRecord, ReleaseEvent, ReleaseRecord } from './extraction-model.ts';

/** Fields that a write sets together with the state, and the events that it appends. */
export interface ReleaseChange {
  release: ReleaseRecord;
  events: ReleaseEvent[];
}

const becauseOf: Record<string, WithdrawnBecause> = {
  run_extraction: 're_extracted',
  restore_extraction: 'restored',
  update_extraction_field: 'edited',
  review_values: 'edited',
  undo: 'undone',
};

type Former = Pick<ExtractionRecord, 'version' | 'release'>;
type Content = Pick<ExtractionVersionRecord, 'is_verified'>;

interface Circumstances {
  origin?: WriteOrigin | undefined;
  /** The reasons that block the release of a result that users verify. */
  blocks?: readonly ReleaseReason[];
}

/**
 * The release of the version that replaces `former`: what was released is withdrawn in the same write. A correction that
 * verifies the result releases it.
 */
export function releaseOfNextVersion(
  former: Former | undefined,
  tool: string,
  content?: Content,
  { origin, blocks = [] }: Circumstances = {},
): ReleaseChange {
  if (former === undefined) return { release: { state: 'open' }, events: [] };
  const withdrawn = former.release?.state === 'released' ? withdrawal(former, becauseOf[tool] ?? 'edited') : undefined;
  const next = { ...former, version: former.version + 1 };
  if (tool === 'review_values' && content?.is_verified && !isBlocked(blocks)) {
    const { release, events } = released(next, userOf(origin));
    return { release, events: [...(withdrawn?.events ?? []), ...events] };
  }
  if (withdrawn) return withdrawn;
  return {
    release: { state: 'open', ...(former.release?.withdrawn && { withdrawn: former.release.withdrawn }) },
    events: [],
  };
}

/** The change of the release when users decide about the current version; undefined without one. */
export function releaseAfterMark(
  former: ExtractionRecord,
  change: Pick<ExtractionRecord, 'is_verified'>,
  { origin, blocks = [] }: Circumstances = {},
): ReleaseChange | undefined {
  const isReleased = former.release?.state === 'released';
  if (isReleased && former.is_verified && !change.is_verified) return withdrawal(former, 'found_wrong');
  if (isReleased || !change.is_verified || former.is_verified) return undefined;
  return isBlocked(blocks) ? undefined : released(former, userOf(origin));
}

/** Selects a result whose release is still as it was read: a release is no change of the result. */
export function releaseAsRead({
  release,
}: Pick<ExtractionRecord, 'release'>): { release: { $exists: false } } | { 'release.state': ReleaseState } {
  return release === undefined ? { release: { $exists: false } } : { 'release.state': release.state };
}

/** A result that comes back after its removal: a released one was withdrawn, and its events are stored elsewhere. */
export function returnedResult<Removed extends Pick<ExtractionRecord, 'version' | 'release' | 'outbox'>>(
  record: Removed,
): Omit<Removed, 'outbox'> & { release_pending: true } {
  const { outbox: _outbox, release, ...rest } = record;
  const isReleased = release?.state === 'released';
  const now = isReleased ? withdrawal(record, 'undone').release : release;
  return { ...rest, ...(now && { release: now }), release_pending: true } as ReturnType<typeof returnedResult<Removed>>;
}

/** A replaced version is withdrawn in the archive as well. */
export function archivedRelease(former: ExtractionRecord, { events }: ReleaseChange): ExtractionRecord {
  const withdrawn = events.find(({ type }) => type === 'result.withdrawn');
  if (former.release === undefined || withdrawn === undefined) return former;
  const { at, because = 'edited' } = withdrawn;
  return {
    ...former,
    release: { ...former.release, state: 'withdrawn', withdrawn: { version: former.version, at, because } },
  };
}

/** Withdraws a released version. */
export function withdrawal(former: Former, because: WithdrawnBecause): ReleaseChange {
  const at = new Date();
  const { version } = former;
  return {
    release: { state: 'withdrawn', withdrawn: { version, at, because } },
    events: [{ id: randomUUID(), type: 'result.withdrawn', version, at, because }],
  };
}

/** Releases a version. */
export function released(
  former: Former,
  by: { by: 'user'; user_id?: string } | { by: 'policy'; policy_version: number },
): ReleaseChange {
  const at = new Date();
  const { version } = former;
  return {
    release: { state: 'released', released_at: at, ...by },
    events: [
      {
        id: randomUUID(),
        type: 'result.released',
        version,
        at,
        by: by.by,
        ...('policy_version' in by && { policy_version: by.policy_version }),
      },
    ],
  };
}

/** Why a result cannot be released by a user. */
export function blocksOf(
  record: Pick<ExtractionVersionRecord, 'issues' | 'validation_errors'>,
  { failed_checks }: Pick<ReviewFacts, 'failed_checks'>,
): ReleaseReason[] {
  const issues = record.issues ?? [];
  const failed = failed_checks.filter(({ severity }) => severity === 'error');
  return [
    ...(isComplete(issues)
      ? []
      : [
          releaseReason(
            'incomplete',
            issues.map(({ path }) => path).filter((path) => path !== ''),
          ),
        ]),
    ...(failed.length > 0
      ? [
          releaseReason(
            'check_failed',
            failed.flatMap(({ fields }) => fields),
          ),
        ]
      : []),
    ...(record.validation_errors.length > 0
      ? [
          releaseReason(
            'validation_error',
            record.validation_errors.map(({ path }) => path),
          ),
        ]
      : []),
  ];
}

export function releaseReason(code: ReleaseReason['code'], paths: readonly string[] = []): ReleaseReason {
  const unique = [...new Set(paths)].slice(0, 50);
  return { code, ...(unique.length > 0 && { paths: unique }) };
}

/** Whether a user without further rights can release it. */
export function isBlocked(reasons: readonly ReleaseReason[]): boolean {
  return reasons.some(({ code }) => blockingReasons.includes(code));
}

/** The release of the API. */
export function presentRelease({ version, release }: Pick<ExtractionVersionRecord, 'version' | 'release'>): Release {
  if (release === undefined) return { state: 'open', version, reasons: [{ code: 'policy_off' }] };
  const { released_at, withdrawn, ...rest } = release;
  return {
    ...rest,
    version,
    ...(released_at && { released_at: released_at.toISOString() }),
    ...(withdrawn && { withdrawn: { ...withdrawn, at: withdrawn.at.toISOString() } }),
  };
}

function userOf(origin: WriteOrigin | undefined): { by: 'user'; user_id?: string } {
  return { by: 'user', ...(origin?.user_id && { user_id: origin.user_id }) };
}
