import type { ExtractionRepository } from '../../extractions/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { PromptService } from '../../prompts/index.ts';
import type { SchemaService } from '../../schemas/index.ts';
import type { UndoWrites } from '../../undo/index.ts';
import type { KindRepository } from '../kinds/kind-repository.ts';
import type { DecisionRepository } from './decision-repository.ts';
import { orUndefined } from './or-undefined.ts';
import { partOfDecision } from './part-of-decision.ts';
import type { RejectionRepository } from './rejection-repository.ts';

export interface RemoveFromKindDependencies {
  proposals: Pick<DecisionRepository, 'countOthers'>;
  kinds: Pick<KindRepository, 'ofPrompts' | 'remove'>;
  rejections: Pick<RejectionRepository, 'note' | 'keepVerified'>;
  /** The turns of runs, one for each attempt. */
  turnIdsOf: (organizationId: string, runIds: readonly string[]) => Promise<Map<string, string[]>>;
  undoWrites: UndoWrites;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent' | 'delete'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'delete'>;
  extractionsOf: (organizationId: string) => Pick<ExtractionRepository, 'removeOfPrompt'>;
}

/** A document that is removed from its kind. */
interface Leaving {
  documentId: string;
  runId: string;
  /** Its kind existed before the run. */
  isReuse: boolean;
}

interface Removal {
  promptId: string | undefined;
  decisionId?: string | undefined;
  /** Whether results that users have verified are removed too. */
  includingVerified: boolean;
}

/**
 * Removes documents from their kind. The last document takes the kind's schema and prompt with it, even if they were
 * refined. An accepted prompt stays, and so does a schema that another prompt uses. A document whose result a user has
 * verified since the decision was made stays in its kind as a pending proposal. Returns the ids of the removed documents.
 */
export function createRemoveFromKind(dependencies: RemoveFromKindDependencies) {
  const { proposals, kinds, rejections, turnIdsOf, undoWrites, extractionsOf } = dependencies;
  return async (
    who: Actor,
    { promptId, decisionId, includingVerified }: Removal,
    leaving: readonly Leaving[],
  ): Promise<string[]> => {
    const { organizationId } = who;
    const documentIds = leaving.map(({ documentId }) => documentId);
    const turnIds = await turnIdsOf(
      organizationId,
      leaving.map(({ runId }) => runId),
    );
    const keeps = includingVerified ? 'nothing' : 'verified';
    const undoTurns = async (documents: readonly Leaving[]) => {
      for (const { runId } of documents) await undoWrites(who, turnIds.get(runId) ?? [], { keeps });
    };
    const extractions = extractionsOf(organizationId);
    const removeResults = async (documents: readonly Leaving[], prompt: string) => {
      const ids = documents.map(({ documentId }) => documentId);
      await extractions.removeOfPrompt(ids, prompt, { includingVerified });
    };
    const prompts = dependencies.promptsFor(who);
    const prompt = promptId === undefined ? undefined : await orUndefined(prompts.getCurrent(promptId));
    if (promptId === undefined || prompt === undefined) {
      await undoTurns(leaving);
      if (promptId === undefined) return documentIds;
      await removeResults(leaving, promptId);
      await kinds.remove(organizationId, promptId);
      return documentIds;
    }
    const hasOthers =
      prompt.review !== 'pending' || (await proposals.countOthers(organizationId, promptId, documentIds)) > 0;
    if (decisionId !== undefined) {
      const { schema_id: schemaId } = prompt;
      await rejections.note({ organizationId, documentIds, decisionId, promptId, schemaId, isLast: !hasOthers });
    }
    // The results first: what a user verifies until then stays, and afterwards there is nothing to verify.
    if (hasOthers) await undoTurns(leaving.filter(({ isReuse }) => isReuse));
    await removeResults(hasOthers ? leaving.filter(({ isReuse }) => !isReuse) : leaving, promptId);
    const kept =
      decisionId === undefined || includingVerified
        ? new Set<string>()
        : await rejections.keepVerified({ organizationId, documentIds, decisionId, promptId });
    const gone = leaving.filter(({ documentId }) => !kept.has(documentId));
    const removed = gone.map(({ documentId }) => documentId);
    if (hasOthers) return removed;
    if (kept.size > 0) {
      await undoTurns(gone.filter(({ isReuse }) => isReuse));
      return removed;
    }
    await undoTurns(leaving);
    const { creatorRunId } = (await kinds.ofPrompts(organizationId, [promptId])).get(promptId) ?? {};
    if (creatorRunId !== undefined && !turnIds.has(creatorRunId)) {
      await undoWrites(who, (await turnIdsOf(organizationId, [creatorRunId])).get(creatorRunId) ?? [], {
        keeps: 'verified',
      });
    }
    // The prompt still exists if its run is no longer stored: undoing turns could not remove it.
    const remaining = await orUndefined(prompts.getCurrent(promptId));
    if (remaining?.review === 'pending') {
      await orUndefined(prompts.delete(promptId, partOfDecision()));
      if (remaining.schema_id !== undefined) {
        await orUndefined(dependencies.schemasFor(who).delete(remaining.schema_id, partOfDecision()));
      }
    }
    await kinds.remove(organizationId, promptId);
    return removed;
  };
}
