import { DomainError, type Role } from '@docwright/contract';
import { beginTurn, isGivenUp } from '../../platform/leases/claims-in-turn.ts';
import { workUnderLeases, type HeldLease } from '../../platform/leases/leased-work.ts';
import { lesserRole } from '../identity/index.ts';
import type { BulkRecord } from './bulk-model.ts';
import type { ActiveBulkRepository, BulkClaim, ChunkOutcome } from './bulk-repository.ts';
import { notInTrash, type BulkWriteRepository, type RecordAction } from './bulk-write-repository.ts';

/** `gone`: the document was removed for good before. `in_list`: it is not in the trash. */
export type PurgeOutcome = 'purged' | 'gone' | 'in_list';

export interface BulkWorkDependencies {
  jobs: ActiveBulkRepository;
  writes: BulkWriteRepository;
  /** A user's current role. Undefined if they no longer belong to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** Ends unattended work on documents that were moved to the trash. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  /** Removes a document in the trash for good. */
  purge: (organizationId: string, documentId: string) => Promise<PurgeOutcome>;
  /** Called after documents were restored: their text might not have been read yet. */
  onRestore: (organizationId: string) => Promise<void>;
  /** How often the lease is renewed. */
  renewEveryMs?: number;
  /** How long a job is worked on before others have their turn. */
  turnMs?: number;
  log: { error(fields: object, message: string): void };
}

const chunkSize = 500;
/** Removing one document takes some ten commands. */
const purgeChunkSize = 10;

const givenUp = {
  code: 'internal_error',
  message: 'The job failed several times on our side, and was ended. What it has changed stays.',
};

/** Executes bulk jobs and their undo. Any number of processes can do so concurrently. */
export function createBulkWorkService(dependencies: BulkWorkDependencies) {
  const { jobs, writes, log, renewEveryMs = 5_000, turnMs = 2_000 } = dependencies;

  async function execute(claim: BulkClaim, lease: HeldLease): Promise<void> {
    const { bulk } = claim;
    if (isGivenUp(bulk)) return await jobs.finish(claim, 'failed', givenUp);
    await requireRights(bulk, dependencies);
    await jobs.start(claim);
    const step = bulk.action === 'purge' ? purgeChunkSize : chunkSize;
    let { position, stop_requested: isStopped } = bulk;
    // A process that was killed can have done part of the first chunk.
    let isRepeated = position > 0 || (bulk.attempts ?? 0) > 1;
    for (const isOver = beginTurn(turnMs); position < bulk.total && !isStopped;) {
      if (isOver()) return await jobs.release(claim);
      await lease.requireHeld();
      const ids = bulk.document_ids.slice(position, position + step);
      position += ids.length;
      const advanced = await jobs.advance(claim, position, await applyTo(bulk, ids, lease, isRepeated));
      isRepeated = false;
      if (advanced === undefined) return;
      isStopped = advanced.stop;
    }
    await jobs.finish(claim, 'completed');
  }

  async function applyTo(
    bulk: BulkRecord,
    ids: BulkRecord['document_ids'],
    { requireHeld }: HeldLease,
    isRepeated: boolean,
  ): Promise<ChunkOutcome> {
    if (bulk.action === 'purge') return await purgeAll(bulk, ids, requireHeld, isRepeated);
    const outcome = await writes.apply(bulk, bulk.action as RecordAction, ids, requireHeld);
    await requireHeld();
    if (bulk.action === 'delete') await dependencies.stopWork(bulk.organization_id.toHexString(), ids.map(String));
    if (bulk.action === 'restore') await dependencies.onRestore(bulk.organization_id.toHexString());
    return outcome;
  }

  async function purgeAll(
    { organization_id }: BulkRecord,
    ids: BulkRecord['document_ids'],
    requireHeld: HeldLease['requireHeld'],
    isRepeated: boolean,
  ): Promise<ChunkOutcome> {
    const outcome: ChunkOutcome = { succeeded: 0, unchanged: 0, failures: [] };
    for (const document_id of ids.map(String)) {
      await requireHeld();
      const result = await dependencies.purge(organization_id.toHexString(), document_id);
      if (result === 'purged' || (result === 'gone' && isRepeated)) outcome.succeeded += 1;
      else outcome.failures.push({ document_id, ...notInTrash });
    }
    return outcome;
  }

  async function undoWrites(claim: BulkClaim, { requireHeld }: HeldLease): Promise<void> {
    const { bulk } = claim;
    // What is left can be undone again.
    if (isGivenUp(bulk)) return await jobs.finishUndo(claim, 'incomplete');
    let last = bulk.undo?.last;
    for (const isOver = beginTurn(turnMs); ;) {
      if (isOver()) return await jobs.release(claim);
      await requireHeld();
      const changes = await writes.changes(bulk, last);
      if (changes.length === 0) break;
      const outcome = await writes.undo(bulk, bulk.action as RecordAction, changes, requireHeld);
      last = changes.at(-1)!.document_id;
      if (!(await jobs.advanceUndo(claim, last, outcome))) return;
      if (bulk.action === 'restore') {
        const ids = changes.map(({ document_id }) => document_id.toHexString());
        await dependencies.stopWork(bulk.organization_id.toHexString(), ids);
      }
    }
    if (bulk.action === 'delete') await dependencies.onRestore(bulk.organization_id.toHexString());
    await jobs.finishUndo(claim);
  }

  const isUndo = ({ bulk }: BulkClaim): boolean => bulk.undo?.state === 'running';

  return {
    work: (signal: AbortSignal): Promise<void> =>
      workUnderLeases<BulkClaim>(
        {
          claim: () => jobs.claim(),
          renew: (claim) => jobs.renew(claim),
          renewEveryMs,
          release: (claim) => jobs.release(claim),
          work: (claim, lease) => (isUndo(claim) ? undoWrites(claim, lease) : execute(claim, lease)),
          async fail(claim, error) {
            if (error instanceof DomainError && !isUndo(claim)) {
              await jobs.finish(claim, 'failed', { code: error.code, message: error.message });
              return;
            }
            // The lease expires and a worker tries again.
            log.error({ err: error, bulk_id: claim.bulk._id.toHexString() }, 'a bulk job was interrupted');
          },
        },
        signal,
      ),
  };
}

async function requireRights(bulk: BulkRecord, { roleOf, checkTags }: BulkWorkDependencies): Promise<void> {
  const organizationId = bulk.organization_id.toHexString();
  const current = await roleOf(organizationId, bulk.requested_by.toHexString());
  if (current === undefined || lesserRole(current, bulk.role) === 'viewer') {
    const message = 'The user who started this job can no longer write in the organization. Start it as another user.';
    throw new DomainError('forbidden', 'viewer_cannot_write', message);
  }
  if (bulk.action === 'tag') await checkTags(organizationId, bulk.tag_ids.map(String));
}
