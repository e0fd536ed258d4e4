import {
  DomainError,
  type Extraction,
  type ReleaseStatus,
  type ReleaseSuspect,
  type releaseBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { declareWrites, type AuditWrites, type NoteWrite } from '../audit/index.ts';
import type { DocumentService } from '../documents/index.ts';
import {
  blocksOf,
  factsOf,
  isBlocked,
  released,
  versionConflict,
  type ExtractionService,
  type ResultSweeps,
  type OutsideBlocks,
} from '../extractions/index.ts';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { EvidenceRepository } from './policies/evidence-repository.ts';
import type { PolicyRepository } from './policies/policy-repository.ts';
import type { PolicyRecord } from './policies/policy-model.ts';
import type { ReleaseHistory } from './release-history-repository.ts';
import type { ReleaseRepository } from './release-repository.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface ReleaseServiceDependencies {
  auditWrites: AuditWrites;
  releases: ReleaseRepository;
  rejudgements: Pick<ResultSweeps, 'progress'>;
  outsideBlocks: OutsideBlocks;
  policiesOf: (organizationId: string) => PolicyRepository;
  evidenceOf: (organizationId: string) => EvidenceRepository;
  historyOf: (organizationId: string) => ReleaseHistory;
  documents: (actor: Actor) => Pick<DocumentService, 'get'>;
  prompts: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
  extractions: (actor: Actor) => Pick<ExtractionService, 'get'>;
}

/** The releases of one organization, with the rights of one user. */
export type ReleaseService = ReturnType<typeof releaseServiceFor>;

const maxAttempts = 20;
const hastySeconds = 2;

const writes = declareWrites<ReleaseService>({
  release: { tool: 'release_result', takes: ['document_id', 'prompt_revid', '...', 'origin', 'note'] },
});

export function createReleaseService(dependencies: ReleaseServiceDependencies): (actor: Actor) => ReleaseService {
  return dependencies.auditWrites(writes, (actor) => releaseServiceFor(actor, dependencies));
}

function releaseServiceFor(actor: Actor, dependencies: ReleaseServiceDependencies) {
  const { releases } = dependencies;
  const organizationId = actor.organizationId;
  const policies = dependencies.policiesOf(organizationId);
  const history = dependencies.historyOf(organizationId);

  async function policyOf(prompt_id: string): Promise<PolicyRecord & { policy: NonNullable<PolicyRecord['policy']> }> {
    await dependencies.prompts(actor).getCurrent(prompt_id);
    const found = await policies.current(prompt_id.toLowerCase());
    if (!found?.policy) {
      throw new DomainError(
        'not_found',
        'no_release_policy',
        'The prompt has no release policy. Set release_policy on the prompt first.',
      );
    }
    return { ...found, policy: found.policy };
  }

  return {
    /**
     * Releases a version of a result. Throws `version_conflict` for another version, and `release_blocked` if it is incomplete or
     * invalid and no admin overrules that. A version that is already released stays as it is.
     */
    async release(
      document_id: string,
      prompt_revid: string,
      { version, override }: z.infer<typeof releaseBody>,
      origin?: WriteOrigin,
      note?: NoteWrite,
    ): Promise<Extraction> {
      let isNoted = false;
      await dependencies.documents(actor).get(document_id);
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const record = await releases.get(organizationId, document_id, prompt_revid);
        if (record === undefined) {
          throw new DomainError(
            'not_found',
            'extraction_not_found',
            'This revision of the prompt has no result on the document.',
          );
        }
        // A repeated call releases nothing again that was withdrawn since.
        if (origin && record.applied_calls.includes(origin.call_id)) break;
        if (record.version !== version) throw versionConflict(record.version);
        if (record.release?.state === 'released') break;
        const blocks = [...blocksOf(record, await factsOf(record)), ...(await dependencies.outsideBlocks(record))];
        if (isBlocked(blocks)) {
          if (override === undefined) {
            throw new DomainError(
              'conflict',
              'release_blocked',
              'The result cannot be released; details.reasons says why. Correct it, or let an admin overrule this with override.',
              { reasons: blocks.filter((reason) => isBlocked([reason])) },
            );
          }
          requireAdmin(actor);
        }
        const user_id = origin?.user_id ?? actor.userId;
        if (!isNoted) await note?.({ kind: 'extraction' });
        isNoted = true;
        if (await releases.apply(record, released(record, { by: 'user', user_id }), origin?.call_id)) {
          await releases.publish(record);
          break;
        }
      }
      return await dependencies.extractions(actor).get(document_id, prompt_revid);
    },
    /** Throws `no_release_policy` for a prompt without one. */
    async status(prompt_id: string): Promise<ReleaseStatus> {
      const found = await policyOf(prompt_id);
      const { policy, threshold, bound, state, paused_because, evidence_since } = found;
      const audited = await policies.audited(found);
      const timed = audited.filter(({ seconds }) => seconds !== undefined);
      const evidence = dependencies.evidenceOf(organizationId);
      const limit = policy.checks_only ? 1 : (threshold ?? -1);
      const rejudging = await dependencies.rejudgements.progress(organizationId, found.prompt_id);
      const share = await evidence.share(found.prompt_id, evidence_since, state === 'active' ? limit : -1);
      return {
        state,
        policy,
        policy_version: found.version,
        changed_by: found.changed_by,
        changed_at: found.changed_at.toISOString(),
        threshold: state === 'active' ? threshold : null,
        bound,
        confidence: policy.confidence,
        max_wrong: policy.max_wrong,
        audited: {
          documents: audited.length,
          values: audited.reduce((sum, { values }) => sum + values, 0),
          wrong: audited.filter(({ wrong_values = 0 }) => wrong_values > 0).length,
        },
        needed: { documents: policies.needed(found, audited) },
        released_share: share.documents === 0 ? 0 : share.below / share.documents,
        hasty_share:
          timed.length === 0 ? 0 : timed.filter(({ seconds = 0 }) => seconds < hastySeconds).length / timed.length,
        last_30_days: await history.days(found.prompt_id, 30),
        ...(state === 'paused' && paused_because && { paused_because }),
        ...(rejudging && { rejudging }),
        curve: policies.curve(found, audited),
      };
    },
    /** What was released since the change that paused the policy, and is still released. */
    async suspects(
      prompt_id: string,
      page: PageSelection,
    ): Promise<{ suspects: ReleaseSuspect[]; skip: number; limit: number } & PageEnd> {
      const { skip, limit } = page;
      const { suspect_since, paused_because, state, prompt_id: id } = await policyOf(prompt_id);
      if (state !== 'paused' || !suspect_since || !paused_because) {
        return { suspects: [], total_count: 0, skip, limit };
      }
      const { released, ...counted } = await history.releasedSince(id, suspect_since, page);
      return {
        suspects: released.map((each) => ({ ...each, because: paused_because })),
        ...counted,
        skip,
        limit,
      };
    },
  };
}
