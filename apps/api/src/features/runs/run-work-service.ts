import { DomainError, maxDocumentsInRun, type Role, type RunAction, type RunState } from '@docwright/contract';
import { beginTurn, isGivenUp } from '../../platform/leases/claims-in-turn.ts';
import { workUnderLeases } from '../../platform/leases/leased-work.ts';
import type { HeadlessInput, HeadlessKind, HeadlessQueue } from '../headless/index.ts';
import { lesserRole } from '../identity/index.ts';
import type { ActiveRunRepository, RunClaim } from './active-run-repository.ts';
import type { MatchingDocumentRepository } from '../extractions/index.ts';
import { damaged, type RunRecord } from './run-model.ts';
import { finalOf } from './run-presentation.ts';
import type { StoredRun } from './run-repository.ts';

/** The job that queues the documents of runs, and ends finished runs. */
export const workRunsJobName = 'work-runs';
/** The job that queues the documents of runs with many. */
export const queueLargeRunsJobName = 'queue-large-runs';
/** The job that undoes runs on request, which takes minutes. */
export const undoRunsJobName = 'undo-runs';

interface RunWorkDependencies {
  active: ActiveRunRepository;
  queue: HeadlessQueue;
  matchingOf: (organizationId: string) => MatchingDocumentRepository;
  /** The user's current role; undefined if they left the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  /** Called for each run that this process has ended. */
  onEnded: (action: RunAction, state: RunState) => void;
  /** Wakes the job that queues the documents of large runs. */
  wakeLarge?: () => Promise<void>;
  log: { error(fields: object, message: string): void };
}

/** The claim is renewed in the background: a filter over many documents is slow. */
const renewEveryMs = 5_000;
/** How long documents of a run are queued before other runs have their turn. */
const turnMs = 2_000;
/** Documents queued between two renewals of the claim. */
const chunkSize = 50;
/** A run of more is large: the others do not wait until its documents are queued. */
const maxSmall = 100;
const kinds: Record<RunAction, HeadlessKind> = {
  auto_create: 'auto_create',
  run_extraction: 'extraction',
  chat: 'agent',
};

/** Works on active runs. Any number of processes can work concurrently. */
export function createRunWorkService(dependencies: RunWorkDependencies) {
  const { active, queue, log, onEnded, wakeLarge = async () => undefined } = dependencies;

  async function queueDocuments(claim: RunClaim, signal: AbortSignal, size?: 'large'): Promise<void> {
    if (isGivenUp(claim.run)) throw givenUp();
    const role = await effectiveRole(claim.run, dependencies);
    const run = await chooseDocuments(claim, dependencies, signal);
    if (run === undefined) return;
    if (size !== 'large' && (run.document_ids ?? []).length > maxSmall) {
      await active.passToLarge(claim);
      return await wakeLarge();
    }
    const queued = await queuedDocuments(run, queue);
    const refused = new Set(run.refused.map((entry) => entry.document_id));
    const missing = (run.document_ids ?? []).filter((id) => !queued.has(id) && !refused.has(id));
    const isOver = beginTurn(turnMs);
    for (let at = 0; at < missing.length; at += chunkSize) {
      signal.throwIfAborted();
      if (isOver()) return await active.release(claim);
      const current = await active.renew(claim, []);
      if (current === undefined) return;
      if (current.stop_requested) break;
      const chunk = missing.slice(at, at + chunkSize);
      const inputs = chunk.map((documentId) => inputOf(run, documentId, role));
      const answers = await queue.queue(inputs);
      const refusals: RunRecord['refused'] = answers.flatMap((answer, index) =>
        'refused' in answer ? [{ document_id: chunk[index] ?? '', ...answer.refused }] : [],
      );
      await active.renew(claim, refusals);
    }
    await active.markQueued(claim);
  }

  const queueAll = (signal: AbortSignal, size?: 'large'): Promise<void> =>
    workUnderLeases<RunClaim>(
      {
        claim: () => active.claimQueued(size),
        renew: async (claim) => (await active.renew(claim, [])) !== undefined,
        renewEveryMs,
        release: (claim) => active.release(claim),
        work: (claim, lease) => queueDocuments(claim, lease.signal, size),
        async fail(claim, error) {
          if (error instanceof DomainError) {
            await active.fail(claim, { code: error.code, message: error.message });
            onEnded(claim.run.action, 'failed');
            return;
          }
          // The claim expires and a worker tries again.
          const message = 'queueing the documents of a run failed; a worker tries again';
          log.error({ err: error, run_id: claim.run.id }, message);
        },
      },
      signal,
    );

  async function endIfDone(run: StoredRun): Promise<void> {
    if (run.stop_requested) await queue.cancel(run.organization_id, run.id);
    const { open, ...final } = await finalOf(run, queue);
    if (open > 0) return;
    const state = run.stop_requested ? 'stopped' : 'completed';
    if (await active.end(run, state, final)) onEnded(run.action, state);
  }

  return {
    /** Queues the documents of runs with many, which takes minutes. */
    queueLarge: (signal: AbortSignal): Promise<void> => queueAll(signal, 'large'),
    /** Queues the documents of new runs, and ends runs whose documents have all ended. */
    async work(signal: AbortSignal): Promise<void> {
      await queueAll(signal);
      for (const run of await active.listRunning()) {
        if (signal.aborted) return;
        try {
          await endIfDone(run);
        } catch (error) {
          log.error({ err: error, run_id: run.id }, 'checking whether a run has ended failed; a worker tries again');
        }
      }
    },
  };
}

const givenUp = () => new DomainError('agent_failed', damaged.code, damaged.message);

/** The lesser of the requester's current role and their role at the request. */
async function effectiveRole(run: StoredRun, { roleOf }: RunWorkDependencies): Promise<Role> {
  const current = await roleOf(run.organization_id, run.requested_by);
  if (current === undefined) {
    throw new DomainError(
      'forbidden',
      'requester_gone',
      'The user who requested this run has left the organization. An admin can take over the schedule by changing it, or request the run again.',
    );
  }
  const role = lesserRole(current, run.role);
  if (role === 'viewer') {
    throw new DomainError(
      'forbidden',
      'viewer_cannot_write',
      'The user who requested this run is a viewer now. An admin can take over the schedule by changing it, or request the run again.',
    );
  }
  return role;
}

/** Chooses the documents of the run, once; returns the run, or undefined if the claim is lost. */
async function chooseDocuments(
  claim: RunClaim,
  { active, matchingOf, checkTags, promptExists }: RunWorkDependencies,
  signal: AbortSignal,
): Promise<StoredRun | undefined> {
  const { run } = claim;
  if (run.document_ids !== null) return run;
  if (run.filter?.tag_ids) await checkTags(run.organization_id, run.filter.tag_ids);
  if (run.prompt_id !== null && !(await promptExists(run.organization_id, run.prompt_id))) {
    throw new DomainError('invalid', 'prompt_deleted', 'The prompt of this schedule was deleted. Choose another one.');
  }
  const limit = Math.min(run.max_documents ?? maxDocumentsInRun, maxDocumentsInRun);
  const chosen = run.named_ids
    ? { matched: run.named_ids.length, documentIds: run.named_ids.slice(0, run.max_documents ?? undefined) }
    : await matchingOf(run.organization_id).find(run.filter ?? {}, {
        promptId: run.prompt_id ?? undefined,
        limit,
        signal,
      });
  if (!(await active.decide(claim, chosen.matched, chosen.documentIds))) return undefined;
  return { ...run, matched: chosen.matched, document_ids: chosen.documentIds };
}

async function queuedDocuments(run: StoredRun, queue: HeadlessQueue): Promise<Set<string>> {
  const queued = new Set<string>();
  for (;;) {
    const page = { skip: queued.size, limit: 200 };
    const { documentRuns } = await queue.listOfRun(run.organization_id, run.id, page);
    for (const { documentId } of documentRuns) queued.add(documentId);
    if (documentRuns.length < page.limit) return queued;
  }
}

function inputOf(run: StoredRun, documentId: string, role: Role): HeadlessInput {
  return {
    kind: kinds[run.action],
    organizationId: run.organization_id,
    documentId,
    requestedBy: run.requested_by,
    role,
    runId: run.id,
    id: entryId(run, documentId),
    ...(run.message === null ? {} : { message: run.message }),
    ...(run.action === 'chat' ? { autoApprovedTools: run.auto_approved_tools } : {}),
    ...(run.prompt_id === null ? {} : { promptId: run.prompt_id }),
    ...(run.replace ? { replace: run.replace } : {}),
    onAsk: run.on_ask ?? 'deny',
    ...(run.schedule_id === null ? {} : { scheduleId: run.schedule_id }),
  };
}

/** A stable id in the order of the run's documents: the queue accepts an id only once. */
function entryId(run: StoredRun, documentId: string): string {
  const place = (run.document_ids ?? []).indexOf(documentId);
  return `${run.id.slice(0, 8)}${run.id.slice(12)}${place.toString(16).padStart(4, '0')}`;
}
