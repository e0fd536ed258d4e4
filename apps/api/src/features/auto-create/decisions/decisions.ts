import { randomUUID } from 'node:crypto';
import { DomainError } from '@docwright/contract';
import type { AuditLog } from '../../audit/index.ts';
import type { DocumentService } from '../../documents/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { PromptService } from '../../prompts/index.ts';
import type { ChangeReview } from '../../revisions/index.ts';
import type { FreeName } from '../kinds/free-name.ts';
import type { KindRepository } from '../kinds/kind-repository.ts';
import type { Decision, DecisionRepository, UnfinishedDecision } from './decision-repository.ts';
import { orUndefined } from './or-undefined.ts';
import { createRemoveFromKind, type RemoveFromKindDependencies } from './remove-from-kind.ts';
import { partOfDecision } from './part-of-decision.ts';
import { acceptTool } from './undo-acceptance.ts';
import { rejectTool, type UndoRejection } from './undo-rejection.ts';
import type { RejectionRepository } from './rejection-repository.ts';

interface DecisionDependencies extends RemoveFromKindDependencies {
  proposals: DecisionRepository;
  kinds: Pick<KindRepository, 'ofPrompts' | 'remove' | 'setTag' | 'setAccepted' | 'exclusively'>;
  freeName: FreeName;
  auditOf: (organizationId: string) => AuditLog;
  /** End the review of a prompt and of a schema. */
  endReview: { prompt: ChangeReview; schema: ChangeReview };
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent' | 'update' | 'delete'>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'clearModelState'>;
  rejections: Pick<RejectionRepository, 'note' | 'keepVerified' | 'verified'>;
  restoreDocument: UndoRejection['restoreDocument'];
}

interface Place {
  organizationId: string;
  documentId: string;
  userId: string;
}

type DocumentDecision = Decision & { documentId: string };

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

/** The number of documents that an error names. */
const maxNamed = 100;
/** How many documents are processed together, since the kinds of the organization are locked meanwhile. */
const batchSize = 50;

export function createDecisions(dependencies: DecisionDependencies) {
  const { proposals, turnIdsOf, endReview, kinds } = dependencies;
  const removeFromKind = createRemoveFromKind(dependencies);

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

  /** Removes the documents from their kind. Returns the ids of those that were removed. */
  async function reject(who: Actor, decided: readonly DocumentDecision[]): Promise<string[]> {
    const { organizationId } = who;
    const [{ promptRevid, decisionId, includingVerified, ...first }] = decided as [DocumentDecision];
    const prompt =
      first.promptId !== undefined || promptRevid === undefined
        ? undefined
        : await orUndefined(dependencies.promptsFor(who).get(promptRevid));
    const kind = { promptId: first.promptId ?? prompt?.prompt_id, decisionId, includingVerified };
    const documentIds = await kinds.exclusively(organizationId, () => removeFromKind(who, kind, decided));
    const rejected = decided.filter(({ documentId }) => documentIds.includes(documentId));
    for (const [tagId, tagged] of Map.groupBy(rejected, ({ givenTag }) => givenTag)) {
      if (tagId !== undefined) await proposals.removeTag(organizationId, tagged.map(documentIdOf), tagId);
    }
    const withResults = await proposals.documentsWithResults(organizationId, documentIds);
    await dependencies.documentsFor(who).clearModelState(documentIds.filter((id) => !withResults.has(id)));
    return documentIds;
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

  /** Executes decisions of one status that were made by one request. Returns the ids of the decided documents. */
  async function execute(
    { organizationId, userId }: Omit<Place, 'documentId'>,
    decisions: readonly DocumentDecision[],
  ): Promise<string[]> {
    // The right to decide was checked when the decision was made. It is executed on behalf of that user.
    const actor: Actor = { organizationId, userId, role: 'member' };
    const [first] = decisions;
    if (first === undefined) return [];
    await record(actor, decisions);
    let decided = decisions.map(documentIdOf);
    // The prompt is accepted once for all documents.
    if (first.status === 'accepted') await orUndefined(accept(actor, first));
    else decided = await reject(actor, decisions);
    const runIds = decisions.map(({ runId }) => runId);
    await proposals.finishDecision(organizationId, decided, runIds);
    return decided;
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
      const verified = () => dependencies.rejections.verified(organizationId, { documentIds: [documentId] });
      if (status === 'rejected' && includingVerified !== true) requireUnverified(await verified());
      const decisionId = `decision-${randomUUID()}`;
      const made = { status, tagId, userId, decisionId, includingVerified };
      const decision = await proposals.decide(organizationId, documentId, made);
      if (decision === undefined) return false;
      const decided = await execute(place, [{ ...decision, documentId }]);
      // A user has verified the result meanwhile.
      if (decided.length === 0) requireUnverified(await verified());
      return true;
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
      const decision = { status, tagId, userId, documentIds, decisionId, includingVerified };
      const decisions = await proposals.decideAll(organizationId, promptId, decision);
      const decided: string[] = [];
      for (let from = 0; from < decisions.length; from += batchSize) {
        decided.push(...(await execute({ organizationId, userId }, decisions.slice(from, from + batchSize))));
      }
      return decided;
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
      const kind = { promptId: prompt.prompt_id, includingVerified: true };
      await kinds.exclusively(place.organizationId, () => removeFromKind(actor, kind, leaving));
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

/** Throws `proposal_verified`, with the documents whose verified results a rejection would remove. */
function requireUnverified(documents: readonly { document_id: string; document_name: string }[]): void {
  if (documents.length === 0) return;
  const names = documents.slice(0, 3).map(({ document_name }) => `"${document_name}"`);
  const more = documents.length > names.length ? ` and ${documents.length - names.length} more` : '';
  throw new DomainError(
    'conflict',
    'proposal_verified',
    `A user has verified the result of ${names.join(', ')}${more}, and rejecting the proposal removes it. Send including_verified: true to reject it anyway.`,
    { documents: documents.slice(0, maxNamed), count: documents.length },
  );
}
