import { DomainError } from '@docwright/contract';
import type { DocumentService } from '../documents/document-service.ts';
import type { ExtractionRepository } from '../extractions/extraction-repository.ts';
import type { Actor } from '../identity/actor.ts';
import type { PromptService } from '../prompts/prompt-service.ts';
import type { EndReview } from '../revisions/review-repository.ts';
import type { TakeBack } from '../undo/take-back.ts';
import type { Decision, ProposalRepository, UnfinishedDecision } from './proposal-repository.ts';

export interface DecisionDependencies {
  proposals: Pick<ProposalRepository, 'decide' | 'finishDecision' | 'unfinishedDecisions'>;
  /** The turns of a run, one for each attempt. */
  turnIdsOf: (organizationId: string, runId: string) => Promise<string[]>;
  takeBack: TakeBack;
  /** Of a prompt, and of a schema. */
  endReview: { prompt: EndReview; schema: EndReview };
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent' | 'update'>;
  extractionsOf: (organizationId: string) => Pick<ExtractionRepository, 'removeOfPrompt' | 'list'>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'clearModelState'>;
}

interface Place {
  organizationId: string;
  documentId: string;
  userId: string;
}

/** What persons decide on proposals: taken once, and carried out to the end whatever dies on the way. */
export interface Decisions {
  /** False where no proposal waits: of several who decide at once, one does. */
  take(place: Place, decision: { status: Decision['status']; tagId?: string | undefined }): Promise<boolean>;
  /** Goes on with decisions whose process died. */
  finishAll(): Promise<void>;
}

const mostAtOnce = 20;

export function createDecisions(dependencies: DecisionDependencies): Decisions {
  const { proposals, turnIdsOf, takeBack, endReview, extractionsOf } = dependencies;

  /** The prompt becomes an ordinary one, with the tag that the document got with the decision itself. */
  async function accept({ organizationId }: Place, { promptRevid, tagId }: Decision, actor: Actor): Promise<void> {
    if (promptRevid === undefined) return;
    const prompts = dependencies.promptsFor(actor);
    const { prompt_id } = await prompts.get(promptRevid);
    await endReview.prompt(organizationId, prompt_id);
    const { tag_ids, schema_id } = await prompts.getCurrent(prompt_id);
    if (schema_id !== undefined) await endReview.schema(organizationId, schema_id);
    if (tagId === undefined) return;
    if (!tag_ids.includes(tagId)) await prompts.update(prompt_id, { tag_ids: [...tag_ids, tagId] });
  }

  /** What the run made goes, whatever has been refined; a schema that somebody else's prompt uses by now stays. */
  async function reject(place: Place, { runId, promptRevid }: Decision, actor: Actor): Promise<void> {
    const { organizationId, documentId } = place;
    await takeBack(place, await turnIdsOf(organizationId, runId));
    const prompts = dependencies.promptsFor(actor);
    const prompt = promptRevid === undefined ? undefined : await orUndefined(prompts.get(promptRevid));
    const isGone = prompt && (await orUndefined(prompts.getCurrent(prompt.prompt_id))) === undefined;
    const extractions = extractionsOf(organizationId);
    if (isGone) await extractions.removeOfPrompt(documentId, prompt.prompt_id);
    const { total_count } = await extractions.list(documentId, { skip: 0, limit: 1 });
    if (total_count === 0) await dependencies.documentsFor(actor).clearModelState(documentId);
  }

  async function carryOut(place: Place, decision: Decision): Promise<void> {
    // The right to decide was checked when it was taken; it is carried out in that person's name.
    const actor: Actor = { ...place, role: 'member' };
    if (decision.status === 'accepted') await orUndefined(accept(place, decision, actor));
    else await reject(place, decision, actor);
    await proposals.finishDecision(place.organizationId, place.documentId, decision.runId);
  }

  return {
    async take(place, { status, tagId }) {
      const { organizationId, documentId, userId } = place;
      const decision = await proposals.decide(organizationId, documentId, { status, tagId, userId });
      if (decision) await carryOut(place, decision);
      return decision !== undefined;
    },
    async finishAll() {
      const unfinished: UnfinishedDecision[] = await proposals.unfinishedDecisions(mostAtOnce);
      for (const decision of unfinished) {
        const { organizationId, documentId, userId } = decision;
        await carryOut({ organizationId, documentId, userId }, decision);
      }
    },
  };
}

/** What somebody has deleted meanwhile needs nothing more. */
async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
