import { DomainError, type Role } from '@docwright/contract';
import type { Job } from '../../platform/jobs/job-runner.ts';
import { lesserRole, type Actor } from '../identity/index.ts';
import type { ExtractionService } from './extraction-service.ts';
import { presentResult } from './long/requested-extraction.ts';
import type { OrphanedExtraction, OrphanedExtractions, ProgressRepository } from './long/progress-repository.ts';

export interface ResumeDependencies {
  orphans: OrphanedExtractions;
  progressOf: (organizationId: string) => Pick<ProgressRepository, 'finish' | 'removePieces'>;
  /** Undefined if the user no longer belongs to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  extractions: (actor: Actor) => Pick<ExtractionService, 'run' | 'latest'>;
  auditOf: (organizationId: string) => { record(entries: ExecutedEntry[]): Promise<unknown> };
  log: { warn(fields: object, message: string): void };
}

interface ExecutedEntry {
  kind: 'executed';
  actor: string;
  documentId: string;
  callId: string;
  tool: 'run_extraction';
  arguments: string;
  success: true;
  origin: { kind: 'api' };
}

/** An extraction that killed this many processes fails. */
const maxAttempts = 3;

/**
 * Resumes extractions whose process died: finished pieces are stored, and only the others are requested. Extractions of a
 * turn or of a run are resumed together with it.
 */
export function createResumeExtractionsJob(dependencies: ResumeDependencies): Job {
  const { orphans, log } = dependencies;
  return {
    name: 'resume-extractions',
    everyMs: 10_000,
    quietEveryMs: 60_000,
    concurrency: 2,
    async run(signal) {
      while (!signal.aborted) {
        const orphan = await orphans.claim();
        if (orphan === undefined) return;
        log.warn({ document_id: orphan.place.document_id, attempts: orphan.attempts }, 'an extraction is resumed');
        await resume(dependencies, orphan, signal);
      }
    },
  };
}

async function resume(
  { progressOf, roleOf, extractions, auditOf }: ResumeDependencies,
  { organizationId, place, run_id, asked, attempts, stop_requested }: OrphanedExtraction,
  signal: AbortSignal,
): Promise<void> {
  const { document_id, prompt_revid } = place;
  const { user_id: userId, call_id, present } = asked;
  // Does nothing for a run that was resumed: it has another id by now and has stored its own end.
  const progress = progressOf(organizationId);
  const finish = progress.finish.bind(undefined, place, run_id);
  try {
    if (stop_requested) {
      await progress.removePieces(place);
      await finish({ state: 'stopped', error: { code: 'extraction_stopped', message: 'The extraction was stopped.' } });
      return;
    }
    if (attempts > maxAttempts) throw tooManyAttempts();
    const role = await roleOf(organizationId, userId);
    if (role === undefined) throw requesterRemoved();
    const service = extractions({ organizationId, userId, role: lesserRole(role, asked.role) });
    const now = presentResult(await service.latest(document_id, prompt_revid));
    const replace = JSON.stringify(now) === JSON.stringify(present) ? asked.replace : 'unreviewed';
    const origin = { call_id, turn_id: call_id, source: { kind: 'api' } as const, user_id: userId };
    const { is_complete, issues } = await service.run(document_id, prompt_revid, origin, signal, replace);
    const args = { document_id, prompt_revid, ...(replace !== 'unreviewed' && { replace }) };
    await auditOf(organizationId).record([
      {
        kind: 'executed',
        actor: userId,
        documentId: document_id,
        callId: call_id,
        tool: 'run_extraction',
        arguments: JSON.stringify(args),
        success: true,
        origin: { kind: 'api' },
      },
    ]);
    await finish({ state: 'completed', is_complete, issues });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof DomainError)) throw error;
    await finish({ state: 'failed', error: { code: error.code, message: error.message } });
  }
}

function tooManyAttempts(): DomainError {
  const message = `The extraction was interrupted ${maxAttempts} times and is not resumed again. Run it again.`;
  return new DomainError('conflict', 'extraction_interrupted', message);
}

function requesterRemoved(): DomainError {
  const message = 'The user who requested it no longer belongs to the organization.';
  return new DomainError('forbidden', 'requester_gone', message);
}
