import { DomainError, type AuditEntry } from '@docwright/contract';
import type { Actor } from '../../identity/index.ts';
import type { PromptRepository, PromptService } from '../../prompts/index.ts';
import type { ChangeReview } from '../../revisions/index.ts';
import type { AcceptedBy, DecisionRepository } from './decision-repository.ts';
import type { KindRepository } from '../kinds/kind-repository.ts';

interface UndoAcceptanceDependencies {
  proposals: Pick<DecisionRepository, 'reopen' | 'countAccepted' | 'hasOtherResults' | 'markPending'>;
  kinds: Pick<KindRepository, 'ofPrompts' | 'setAccepted' | 'exclusively'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent' | 'update'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  reopenReview: { prompt: ChangeReview; schema: ChangeReview };
}

/** The tool of an acceptance in the audit log. */
export const acceptTool = 'accept_proposal';

/**
 * Undoes an acceptance by its entry in the audit log: its documents become pending again. Schema and prompt also become
 * pending if that decision accepted them and nothing has used them since. Idempotent.
 */
export function createUndoAcceptance({
  proposals,
  kinds,
  promptsFor,
  promptsOf,
  reopenReview,
}: UndoAcceptanceDependencies) {
  async function reopenKind(actor: Actor, promptId: string, by: string): Promise<void> {
    const { organizationId } = actor;
    const { accepted } = (await kinds.ofPrompts(organizationId, [promptId])).get(promptId) ?? {};
    if (accepted?.by !== by || (await proposals.countAccepted(organizationId, promptId)) > 0) return;
    const prompts = promptsFor(actor);
    const prompt = await prompts.getCurrent(promptId).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    });
    // A prompt that a user has changed since stays accepted.
    if (prompt?.prompt_revid !== accepted.prompt_revid) return;
    // So does one that others have used: their results would belong to a prompt that nobody sees.
    if (await proposals.hasOtherResults(organizationId, promptId)) return;
    const { tag_ids, schema_id } = prompt;
    const { tag_id } = accepted;
    if (tag_id !== undefined) await prompts.update(promptId, { tag_ids: tag_ids.filter((id) => id !== tag_id) });
    await reopenReview.prompt(organizationId, promptId);
    await proposals.markPending(organizationId, promptId);
    if (schema_id !== undefined) {
      // Counts accepted prompts only: a schema that one of them uses stays accepted.
      const { total_count } = await promptsOf(organizationId).list({ skip: 0, limit: 1, schema_id });
      if (total_count === 0) await reopenReview.schema(organizationId, schema_id);
    }
    await kinds.setAccepted(organizationId, promptId, undefined);
  }

  return async (actor: Actor, { kind, call_id, document_id, arguments: args }: AuditEntry): Promise<void> => {
    const {
      run_id: runId,
      decision_id,
      proposal_id,
    } = JSON.parse(args) as {
      run_id?: string;
      decision_id?: string;
      proposal_id?: string;
    };
    const isOfKind = kind === 'executed';
    if (!isOfKind && (document_id === undefined || runId === undefined)) return;
    const accepted: AcceptedBy = isOfKind
      ? { decisionId: call_id }
      : { documentId: document_id ?? '', runId: runId ?? '' };
    const reopened = await proposals.reopen(actor.organizationId, accepted);
    for (const promptId of new Set([...reopened, ...(proposal_id === undefined ? [] : [proposal_id])])) {
      await kinds.exclusively(actor.organizationId, () =>
        reopenKind(actor, promptId, isOfKind ? call_id : (decision_id ?? runId ?? '')),
      );
    }
  };
}
