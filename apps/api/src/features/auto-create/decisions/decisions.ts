import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../../audit/index.ts';
import type { DocumentService } from '../../documents/index.ts';
import type { ExtractionRepository } from '../../extractions/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { PromptService } from '../../prompts/index.ts';
import type { ChangeReview } from '../../revisions/index.ts';
import type { UndoWrites } from '../../undo/index.ts';
import type { SchemaService } from '../../schemas/index.ts';
import type { FreeName } from '../kinds/free-name.ts';
import type { KindRepository } from '../kinds/kind-repository.ts';
import type { Decision, DecisionRepository, UnfinishedDecision } from './decision-repository.ts';
import { orUndefined } from './or-undefined.ts';
import { requireUnverified } from './require-unverified.ts';
import { partOfDecision } from './part-of-decision.ts';
import { acceptTool } from './undo-acceptance.ts';
import { rejectTool, type UndoRejection } from './undo-rejection.ts';
import type { RejectionRepository } from './rejection-repository.ts';

interface DecisionDependencies {
  proposals: DecisionRepository;
  kinds: Pick<KindRepository, 'ofPrompts' | 'remove' | 'setTag' | 'setAccepted' | 'exclusively'>;
  freeName: FreeName;
  /** The turns of runs, one for each attempt. */
  turnIdsOf: (organizationId: string, runIds: readonly string[]) => Promise<Map<string, string[]>>;
  undoWrites: UndoWrites;
  auditOf: (organizationId: string) => AuditLog;
  /** End the review of a prompt and of a schema. */
  endReview: { prompt: ChangeReview; schema: ChangeReview };
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent' | 'update' | 'delete'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'delete'>;
  extractionsOf: (organizationId: string) => Pick<ExtractionRepository, 'removeOfPrompt'>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'clearModelState'>;
  rejections: Pick<RejectionRepository, 'note' | 'verified'>;
  restoreDocument: UndoRejection['restoreDocument'];
}

interface Place {
  organizationId: string;
  documentId: string;
  userId: string;
}

type DocumentDecision = Decision & { documentId: string };

/** A document that is removed from its kind. */
type Leaving = Pick<DocumentDecision, 'documentId' | 'runId' | 'isReuse'>;

const documentIdOf = ({ documentId }: { documentId: string }): string => documentId;

interface NewDecision {
  status: Decision['status'];
  tagId?: string | undefined;
  /** A rejection also removes results that users have verified. */
  includingVerified?: boolean | undefined;
}

/**
 * Decisions of users on proposals. A rejection throws `proposal_verified` if it would remove a result that a user has
 * verified. Each is stored once and executed completely, even if a process dies in between.
 */
export type ProposalDecisions = ReturnType<typeof createDecisions>;

/** How many documents are processed together, since the kinds of the organization are locked meanwhile. */
const batchSize = 50;

export function createDecisions(dependencies: DecisionDependencies) {
  const { proposals, turnIdsOf, undoWrites, endReview, extractionsOf, kinds } = dependencies;

  /** Makes the prompt a regular one with the tag that the documents got with the decision. */
  async function accept(actor: Actor, decision: Decision): Promise<void> {
    const { organizationId } = actor;
    const { promptRevid, tagId } = decision;
    if (promptRevid === undefined) return;
    const prompts = dependencies.promptsFor(actor);
    const promptId = decision.promptId ?? (await prompts.get(promptRevid)).prompt_id;
    const { tag_ids, schema_id, name, review } = await prompts.getCurrent(promptId);
    if (review === 'pending') await kinds.exclusively(organizationId, () => makeRegular());
    await proposals.markAccepted(organizationId, promptId);
    const isTagged = tagId !== undefined && !tag_ids.includes(tagId);
    if (isTagged) await prompts.update(promptId, { tag_ids: [...tag_ids, tagId] }, partOfDecision());
    if (tagId !== undefined) await kinds.setTag(organizationId, promptId, tagId);
    if (review !== 'pending') return;
    const { prompt_revid } = await prompts.getCurrent(promptId);
    const by = decision.decisionId ?? decision.runId;
    await kinds.setAccepted(organizationId, promptId, { by, prompt_revid, ...(isTagged && { tag_id: tagId }) });

    /** Gives the prompt a new name if another one has its name by now. */
    async function makeRegular(): Promise<void> {
      const free = await dependencies.freeName(organizationId, 'prompt', name, promptId);
      if (free !== name) await prompts.update(promptId, { name: free }, partOfDecision());
      await endReview.prompt(organizationId, promptId);
      if (schema_id !== undefined) await endReview.schema(organizationId, schema_id);
    }
  }

  /**
   * Removes the documents from their kind. The last document takes the kind's schema and prompt with it, even if they
   * were refined. An accepted prompt stays, and so does a schema that another prompt uses.
   */
  async function reject(who: Actor, rejected: readonly DocumentDecision[]): Promise<void> {
    const { organizationId } = who;
    for (const [tagId, tagged] of Map.groupBy(rejected, ({ givenTag }) => givenTag)) {
      if (tagId !== undefined) await proposals.removeTag(organizationId, tagged.map(documentIdOf), tagId);
    }
    const [{ promptRevid, decisionId, ...first }] = rejected as [DocumentDecision];
    const prompt =
      first.promptId !== undefined || promptRevid === undefined
        ? undefined
        : await orUndefined(dependencies.promptsFor(who).get(promptRevid));
    const kind = { promptId: first.promptId ?? prompt?.prompt_id, decisionId };
    await kinds.exclusively(organizationId, () => removeFromKind(who, kind, rejected));
    const documentIds = rejected.map(documentIdOf);
    const withResults = await proposals.documentsWithResults(organizationId, documentIds);
    await dependencies.documentsFor(who).clearModelState(documentIds.filter((id) => !withResults.has(id)));
  }

  async function removeFromKind(
    who: Actor,
    { promptId, decisionId }: { promptId: string | undefined; decisionId?: string | undefined },
    leaving: readonly Leaving[],
  ): Promise<void> {
    const { organizationId } = who;
    const documentIds = leaving.map(documentIdOf);
    const turnIds = await turnIdsOf(
      organizationId,
      leaving.map(({ runId }) => runId),
    );
    const undoTurns = async (documents: readonly Leaving[]) => {
      for (const { runId } of documents) await undoWrites(who, turnIds.get(runId) ?? []);
    };
    const prompts = dependencies.promptsFor(who);
    const prompt = promptId === undefined ? undefined : await orUndefined(prompts.getCurrent(promptId));
    if (promptId === undefined) return await undoTurns(leaving);
    const extractions = extractionsOf(organizationId);
    if (prompt === undefined) {
      await undoTurns(leaving);
      await extractions.removeOfPrompt(documentIds, promptId);
      return await kinds.remove(organizationId, promptId);
    }
    const isUsed =
      prompt.review !== 'pending' || (await proposals.countOthers(organizationId, promptId, documentIds)) > 0;
    if (decisionId !== undefined) {
      const { schema_id: schemaId } = prompt;
      const removed = { organizationId, documentIds, decisionId, promptId, schemaId, isLast: !isUsed };
      await dependencies.rejections.note(removed);
    }
    if (isUsed) {
      await undoTurns(leaving.filter(({ isReuse }) => isReuse));
      const created = leaving.filter(({ isReuse }) => !isReuse);
      return await extractions.removeOfPrompt(created.map(documentIdOf), promptId);
    }
    await undoTurns(leaving);
    const { creatorRunId } = (await kinds.ofPrompts(organizationId, [promptId])).get(promptId) ?? {};
    if (creatorRunId !== undefined && !turnIds.has(creatorRunId)) {
      await undoWrites(who, (await turnIdsOf(organizationId, [creatorRunId])).get(creatorRunId) ?? []);
    }
    // The prompt still exists if its run is no longer stored: undoing turns could not remove it.
    const remaining = await orUndefined(prompts.getCurrent(promptId));
    if (remaining?.review === 'pending') {
      await orUndefined(prompts.delete(promptId, partOfDecision()));
      if (remaining.schema_id !== undefined) {
        await orUndefined(dependencies.schemasFor(who).delete(remaining.schema_id, partOfDecision()));
      }
    }
    await extractions.removeOfPrompt(documentIds, promptId);
    await kinds.remove(organizationId, promptId);
  }

  /** Records a decision in the audit log. It covers the calls of the runs' turns, which have entries of their own. */
  async function record(
    { organizationId, userId }: Pick<Actor, 'organizationId' | 'userId'>,
    decisions: readonly DocumentDecision[],
  ): Promise<void> {
    const turnIds = await turnIdsOf(
      organizationId,
      decisions.map(({ runId }) => runId),
    );
    await dependencies.auditOf(organizationId).record(
      decisions.map(({ documentId, status, runId, promptRevid, tagId, isReuse, decisionId }) => {
        const granted = {
          run_id: runId,
          ...(decisionId !== undefined && { decision_id: decisionId }),
          turn_ids: turnIds.get(runId) ?? [],
          ...(promptRevid !== undefined && { prompt_revid: promptRevid }),
          ...(tagId !== undefined && { tag_id: tagId }),
          reuses: isReuse,
        };
        return {
          kind: 'decided',
          actor: userId,
          documentId,
          callId: `proposal-${runId}${decisionId === undefined ? '' : `-${decisionId}`}`,
          tool: status === 'accepted' ? acceptTool : rejectTool,
          arguments: JSON.stringify(granted),
          decision: status === 'accepted' ? 'approved' : 'rejected',
          origin: { kind: 'auto_create', id: runId },
        };
      }),
    );
  }

  /** Executes decisions of one status that were made by one request. */
  async function execute(
    { organizationId, userId }: Omit<Place, 'documentId'>,
    decisions: readonly DocumentDecision[],
  ): Promise<void> {
    // The right to decide was checked when the decision was made. It is executed on behalf of that user.
    const actor: Actor = { organizationId, userId, role: 'member' };
    const [first] = decisions;
    if (first === undefined) return;
    await record(actor, decisions);
    // The prompt is accepted once for all documents.
    if (first.status === 'accepted') await orUndefined(accept(actor, first));
    else await reject(actor, decisions);
    const runIds = decisions.map(({ runId }) => runId);
    await proposals.finishDecision(organizationId, decisions.map(documentIdOf), runIds);
  }

  /** Finishes a decision whose process died. */
  async function finish(decision: UnfinishedDecision): Promise<void> {
    const { organizationId, documentId, userId, promptId, decisionId, givenTag } = decision;
    if (!decision.isUndone || promptId === undefined || decisionId === undefined) {
      await execute(decision, [decision]);
      return;
    }
    const actor: Actor = { organizationId, userId, role: 'member' };
    await dependencies.restoreDocument(actor, { organizationId, documentId, promptId, decisionId, givenTag });
  }

  return {
    /** Returns false if no proposal is pending, for example because a concurrent decision was faster. */
    async take(place: Place, { status, tagId, includingVerified }: NewDecision): Promise<boolean> {
      const { organizationId, documentId, userId } = place;
      if (status === 'rejected' && includingVerified !== true) {
        requireUnverified(await dependencies.rejections.verified(organizationId, { documentIds: [documentId] }));
      }
      const decisionId = `decision-${randomUUID()}`;
      const decision = await proposals.decide(organizationId, documentId, { status, tagId, userId, decisionId });
      if (decision) await execute(place, [{ ...decision, documentId }]);
      return decision !== undefined;
    },
    /** Decides all pending documents of a kind in one step. Returns their ids. */
    async takeAll(
      {
        organizationId,
        userId,
        promptId,
        documentIds,
        decisionId,
      }: {
        organizationId: string;
        userId: string;
        promptId: string;
        decisionId: string;
        documentIds?: readonly string[] | undefined;
      },
      { status, tagId, includingVerified }: NewDecision,
    ): Promise<string[]> {
      if (status === 'rejected' && includingVerified !== true) {
        requireUnverified(await dependencies.rejections.verified(organizationId, { promptId, documentIds }));
      }
      const decision = { status, tagId, userId, documentIds, decisionId };
      const decisions = await proposals.decideAll(organizationId, promptId, decision);
      for (let from = 0; from < decisions.length; from += batchSize) {
        await execute({ organizationId, userId }, decisions.slice(from, from + batchSize));
      }
      return decisions.map(({ documentId }) => documentId);
    },
    /** Removes a purged document from its kind. */
    async forget(
      place: Place,
      { runId, promptRevid, isReuse }: { runId: string; promptRevid: string; isReuse: boolean },
    ): Promise<void> {
      const actor: Actor = { ...place, role: 'member' };
      const prompt = await orUndefined(dependencies.promptsFor(actor).get(promptRevid));
      const current = prompt && (await orUndefined(dependencies.promptsFor(actor).getCurrent(prompt.prompt_id)));
      if (prompt === undefined || current?.review !== 'pending') return;
      const leaving = [{ documentId: place.documentId, runId, isReuse }];
      await kinds.exclusively(place.organizationId, () =>
        removeFromKind(actor, { promptId: prompt.prompt_id }, leaving),
      );
    },
    /** Finishes decisions whose process died. */
    async finishAll(): Promise<void> {
      const seen = new Set<string>();
      for (;;) {
        const found: UnfinishedDecision[] = await proposals.unfinishedDecisions(batchSize);
        const unfinished = found.filter(({ documentId, runId }) => !seen.has(`${documentId} ${runId}`));
        if (unfinished.length === 0) return;
        for (const decision of unfinished) {
          seen.add(`${decision.documentId} ${decision.runId}`);
          await finish(decision);
        }
      }
    },
  };
}
