import type { ClaimRepository, UnsettledRun } from '../headless/index.ts';
import type { PromptRepository } from '../prompts/index.ts';
import type { ExtractionRepository } from '../extractions/index.ts';
import type { TagRepository } from '../tags/index.ts';
import type { FittingKinds } from './kinds/fitting-kinds.ts';
import type { KindRepository } from './kinds/kind-repository.ts';
import type { ProposalRepository } from './proposal-repository.ts';

interface SettleDependencies {
  proposals: Pick<ProposalRepository, 'settle' | 'setWaiting'>;
  claims: Pick<ClaimRepository, 'requeueWaiting' | 'settled'>;
  kinds: Pick<KindRepository, 'ofPrompts' | 'addDocument' | 'removeDraft' | 'exclusively'>;
  fittingKinds: Pick<FittingKinds, 'wordsOf'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'get' | 'getCurrent'>;
  extractionsOf: (organizationId: string) => Pick<ExtractionRepository, 'removeOfPrompt'>;
  tagsOf: (organizationId: string) => Pick<TagRepository, 'get'>;
}

/**
 * Stores the proposal of an ended run on its document, adds the document to its kind, and frees the runs that waited for
 * it. Idempotent. Returns the number of freed runs.
 */
export function createSettleProposal(dependencies: SettleDependencies): (run: UnsettledRun) => Promise<number> {
  const { proposals, claims, kinds, fittingKinds, promptsOf, extractionsOf, tagsOf } = dependencies;

  /** Runs under the lock of kinds: a decision on another document can remove the prompt of this proposal. */
  async function propose(run: UnsettledRun, promptRevid: string): Promise<void> {
    const { id, organizationId, documentId, proposal } = run;
    const prompts = promptsOf(organizationId);
    const promptId = (await prompts.get(promptRevid))?.artifact_id;
    const prompt = promptId === undefined ? undefined : await prompts.getCurrent(promptId);
    if (promptId === undefined || prompt === undefined) {
      if (promptId !== undefined) await extractionsOf(organizationId).removeOfPrompt([documentId], promptId);
      await proposals.settle({ ...run, state: 'failed', proposal: null, error: withdrawn });
      return;
    }
    const words = await fittingKinds.wordsOf(organizationId, documentId);
    const isCreated = proposal?.created === true;
    await kinds.addDocument(organizationId, promptId, {
      id: documentId,
      words,
      creatorRunId: isCreated ? id : undefined,
    });
    const accepted = prompt.review === undefined;
    const { schema_revid } = proposal ?? {};
    const reuses = { prompt_revid: promptRevid, ...(schema_revid === undefined ? {} : { schema_revid }), accepted };
    const tagId = accepted && !isCreated ? await tagOfKind(organizationId, promptId) : undefined;
    await proposals.settle(run, { promptId, ...(isCreated ? {} : { reuses }), tagId });
  }

  async function tagOfKind(organizationId: string, promptId: string): Promise<string | undefined> {
    const { tagId } = (await kinds.ofPrompts(organizationId, [promptId])).get(promptId) ?? {};
    return tagId === undefined ? undefined : (await tagsOf(organizationId).get(tagId))?.tag_id;
  }

  return async (run) => {
    const { id, organizationId, state, proposal, endedAt } = run;
    if (state === 'waiting') await proposals.setWaiting(run, true);
    else if (state === 'succeeded' && proposal) {
      await kinds.exclusively(organizationId, () => propose(run, proposal.prompt_revid));
    } else if (endedAt !== null) await proposals.settle(run);
    await claims.settled(id);
    if (state !== 'waiting' && endedAt === null) return 0;
    // A run that waits for a decision does not block other runs.
    await kinds.removeDraft(id);
    return await claims.requeueWaiting(id);
  };
}

const withdrawn = {
  code: 'proposal_withdrawn',
  message: 'The kind of this document was rejected or deleted meanwhile. Start it again.',
};
