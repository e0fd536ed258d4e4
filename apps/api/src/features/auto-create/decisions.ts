import { randomUUID } from 'node:crypto';
import { DomainError } from '@docwright/contract';
import type { AuditLog } from '../audit/index.ts';
import type { DocumentService } from '../documents/index.ts';
import type { ExtractionRepository } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { EndReview } from '../revisions/index.ts';
import type { UndoWrites } from '../undo/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { FreeName } from './free-name.ts';
import type { KindRepository } from './kinds/kind-repository.ts';
import type { Decision, DecisionRepository, UnfinishedDecision } from './decision-repository.ts';
import { acceptTool } from './undo/undo-acceptance.ts';
import { rejectTool, type UndoRejection } from './undo/undo-rejection.ts';
import type { RejectionRepository } from './undo/rejection-repository.ts';

interface DecisionDependencies {
  proposals: DecisionRepository;
  kinds: Pick<KindRepository, 'ofPrompts' | 'remove' | 'setTag' | 'setAccepted' | 'exclusively'>;
  freeName: FreeName;
  /** The turns of a run, one for each attempt. */
  turnIdsOf: (organizationId: string, runId: string) => Promise<string[]>;
  undoWrites: UndoWrites;
  auditOf: (organizationId: string) => AuditLog;
  /** Of a prompt, and of a schema. */
  endReview: { prompt: EndReview; schema: EndReview };
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent' | 'update' | 'delete'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'delete'>;
  extractionsOf: (organizationId: string) => Pick<ExtractionRepository, 'removeOfPrompt' | 'list'>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'clearModelState'>;
  rejections: Pick<RejectionRepository, 'note'>;
  giveBack: UndoRejection['giveBack'];
}

interface Place {
  organizationId: string;
  documentId: string;
  userId: string;
}

/** `decisionId` where it can be undone. */
type Left = Pick<Decision, 'promptId' | 'runId' | 'isReuse'> & { decisionId?: string | undefined };

/** What persons decide on proposals: taken once, and carried out to the end whatever dies on the way. */
export interface Decisions {
  /** False where no proposal waits: of several who decide at once, one does. */
  take(place: Place, decision: { status: Decision['status']; tagId?: string | undefined }): Promise<boolean>;
  /** Decides on as many of a kind's documents as still wait, in one step; their ids. */
  takeAll(
    group: {
      organizationId: string;
      userId: string;
      promptId: string;
      decisionId: string;
      documentIds?: readonly string[] | undefined;
    },
    decision: { status: Decision['status']; tagId?: string | undefined },
  ): Promise<string[]>;
  /** A document that is removed for good leaves its kind. */
  forget(place: Place, left: { runId: string; promptRevid: string; isReuse: boolean }): Promise<void>;
  /** Goes on with decisions whose process died. */
  finishAll(): Promise<void>;
}

const maxAtOnce = 20;

export function createDecisions(dependencies: DecisionDependencies): Decisions {
  const { proposals, turnIdsOf, undoWrites, endReview, extractionsOf, kinds } = dependencies;

  /** The prompt becomes an ordinary one, with the tag that the documents got with the decision itself. */
  async function accept({ organizationId }: Place, decision: Decision, actor: Actor): Promise<void> {
    const { promptRevid, tagId } = decision;
    if (promptRevid === undefined) return;
    const prompts = dependencies.promptsFor(actor);
    const promptId = decision.promptId ?? (await prompts.get(promptRevid)).prompt_id;
    const { tag_ids, schema_id, name, review } = await prompts.getCurrent(promptId);
    if (review === 'pending') await kinds.exclusively(organizationId, () => makeOrdinary());
    await proposals.markAccepted(organizationId, promptId);
    const isTagged = tagId !== undefined && !tag_ids.includes(tagId);
    if (isTagged) await prompts.update(promptId, { tag_ids: [...tag_ids, tagId] });
    if (tagId !== undefined) await kinds.setTag(organizationId, promptId, tagId);
    if (review !== 'pending') return;
    const { prompt_revid } = await prompts.getCurrent(promptId);
    const by = decision.decisionId ?? decision.runId;
    await kinds.setAccepted(organizationId, promptId, { by, prompt_revid, ...(isTagged && { tag_id: tagId }) });

    /** Somebody may have given the name to a thing of their own meanwhile. */
    async function makeOrdinary(): Promise<void> {
      const free = await dependencies.freeName(organizationId, 'prompt', name, promptId);
      if (free !== name) await prompts.update(promptId, { name: free });
      await endReview.prompt(organizationId, promptId);
      if (schema_id !== undefined) await endReview.schema(organizationId, schema_id);
    }
  }

  /**
   * The document leaves its kind. With the last document, the kind's schema and prompt are deleted, also when they were
   * refined. An accepted prompt stays, and so does a schema that another user's prompt uses.
   */
  async function reject(place: Place, decision: Decision, actor: Actor): Promise<void> {
    const { organizationId, documentId } = place;
    if (decision.givenTag !== undefined) await proposals.removeTag(organizationId, documentId, decision.givenTag);
    const { promptRevid } = decision;
    const named =
      promptRevid === undefined ? undefined : await orUndefined(dependencies.promptsFor(actor).get(promptRevid));
    const promptId = decision.promptId ?? named?.prompt_id;
    await kinds.exclusively(organizationId, () => leave(place, { ...decision, promptId }, actor));
    const { total_count } = await extractionsOf(organizationId).list(documentId, { skip: 0, limit: 1 });
    if (total_count === 0) await dependencies.documentsFor(actor).clearModelState(documentId);
  }

  async function leave(place: Place, { promptId, runId, isReuse, decisionId }: Left, actor: Actor): Promise<void> {
    const { organizationId, documentId } = place;
    const turnIds = await turnIdsOf(organizationId, runId);
    const prompts = dependencies.promptsFor(actor);
    const prompt = promptId === undefined ? undefined : await orUndefined(prompts.getCurrent(promptId));
    if (promptId === undefined) return await undoWrites(place, turnIds);
    const extractions = extractionsOf(organizationId);
    if (prompt === undefined) {
      await undoWrites(place, turnIds);
      await extractions.removeOfPrompt(documentId, promptId);
      return await kinds.remove(organizationId, promptId);
    }
    const isUsed =
      prompt.review !== 'pending' || (await proposals.countOthers(organizationId, promptId, documentId)) > 0;
    if (decisionId !== undefined) {
      const { schema_id: schemaId } = prompt;
      await dependencies.rejections.note(place, { decisionId, promptId, schemaId, isLast: !isUsed });
    }
    if (isUsed && isReuse) return await undoWrites(place, turnIds);
    if (isUsed) return await extractions.removeOfPrompt(documentId, promptId);
    await undoWrites(place, turnIds);
    const { creatorRunId } = (await kinds.ofPrompts(organizationId, [promptId])).get(promptId) ?? {};
    if (creatorRunId !== undefined && creatorRunId !== runId) {
      await undoWrites(place, await turnIdsOf(organizationId, creatorRunId));
    }
    // Of a run that nobody remembers.
    const left = await orUndefined(prompts.getCurrent(promptId));
    if (left?.review === 'pending') {
      await orUndefined(prompts.delete(promptId));
      if (left.schema_id !== undefined) await orUndefined(dependencies.schemasFor(actor).delete(left.schema_id));
    }
    await extractions.removeOfPrompt(documentId, promptId);
    await kinds.remove(organizationId, promptId);
  }

  /** What one decision on a proposal has granted, or refused: the calls of these turns, each of which has entries of its own. */
  async function record({ organizationId, documentId, userId }: Place, decision: Decision): Promise<void> {
    const { status, runId, promptRevid, tagId, isReuse, decisionId } = decision;
    const isAccepted = status === 'accepted';
    const granted = {
      run_id: runId,
      ...(decisionId !== undefined && { decision_id: decisionId }),
      turn_ids: await turnIdsOf(organizationId, runId),
      ...(promptRevid !== undefined && { prompt_revid: promptRevid }),
      ...(tagId !== undefined && { tag_id: tagId }),
      reuses: isReuse,
    };
    await dependencies.auditOf(organizationId).record([
      {
        kind: 'decided',
        actor: userId,
        documentId,
        callId: `proposal-${runId}${decisionId === undefined ? '' : `-${decisionId}`}`,
        tool: isAccepted ? acceptTool : rejectTool,
        arguments: JSON.stringify(granted),
        decision: isAccepted ? 'approved' : 'rejected',
        origin: { kind: 'auto_create', id: runId },
      },
    ]);
  }

  async function carryOut(place: Place, decision: Decision): Promise<void> {
    // The right to decide was checked when it was taken; it is carried out in that person's name.
    const actor: Actor = { ...place, role: 'member' };
    const { promptId, decisionId, givenTag } = decision;
    if (decision.isUndone && promptId !== undefined && decisionId !== undefined) {
      await dependencies.giveBack(actor, { ...place, promptId, decisionId, givenTag });
      return;
    }
    await record(place, decision);
    if (decision.status === 'accepted') await orUndefined(accept(place, decision, actor));
    else await reject(place, decision, actor);
    await proposals.finishDecision(place.organizationId, [place.documentId], [decision.runId]);
  }

  return {
    async take(place, { status, tagId }) {
      const { organizationId, documentId, userId } = place;
      const decisionId = `decision-${randomUUID()}`;
      const decision = await proposals.decide(organizationId, documentId, { status, tagId, userId, decisionId });
      if (decision) await carryOut(place, decision);
      return decision !== undefined;
    },
    async takeAll({ organizationId, userId, promptId, documentIds, decisionId }, { status, tagId }) {
      const decision = { status, tagId, userId, documentIds, decisionId };
      const decisions = await proposals.decideAll(organizationId, promptId, decision);
      const [first] = decisions;
      if (first !== undefined && status === 'accepted') {
        const place = { organizationId, documentId: first.documentId, userId };
        for (const each of decisions) await record({ ...place, documentId: each.documentId }, each);
        // The prompt is accepted once, for all of them.
        await orUndefined(accept(place, first, { ...place, role: 'member' }));
        const runIds = decisions.map(({ runId }) => runId);
        await proposals.finishDecision(
          organizationId,
          decisions.map(({ documentId }) => documentId),
          runIds,
        );
      } else {
        for (const decision of decisions) {
          await carryOut({ organizationId, documentId: decision.documentId, userId }, decision);
        }
      }
      return decisions.map(({ documentId }) => documentId);
    },
    async forget(place, { runId, promptRevid, isReuse }) {
      const actor: Actor = { ...place, role: 'member' };
      const prompt = await orUndefined(dependencies.promptsFor(actor).get(promptRevid));
      const current = prompt && (await orUndefined(dependencies.promptsFor(actor).getCurrent(prompt.prompt_id)));
      if (prompt === undefined || current?.review !== 'pending') return;
      const left = { promptId: prompt.prompt_id, runId, isReuse };
      await kinds.exclusively(place.organizationId, () => leave(place, left, actor));
    },
    async finishAll() {
      const seen = new Set<string>();
      for (;;) {
        const found: UnfinishedDecision[] = await proposals.unfinishedDecisions(maxAtOnce);
        const unfinished = found.filter(({ documentId, runId }) => !seen.has(`${documentId} ${runId}`));
        if (unfinished.length === 0) return;
        for (const decision of unfinished) {
          const { organizationId, documentId, userId, runId } = decision;
          seen.add(`${documentId} ${runId}`);
          await carryOut({ organizationId, documentId, userId }, decision);
        }
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
