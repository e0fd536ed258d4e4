import {
  DomainError,
  type AcceptProposalBody,
  type Document,
  type OnAsk,
  type RejectProposalBody,
  type StartAutoCreateBody,
} from '@docwright/contract';
import type { DocumentService } from '../documents/index.ts';
import type { DocumentRunRepository, HeadlessQueue } from '../headless/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { ProposalDecisions } from './decisions/decisions.ts';
import type { ProposalRepository } from './proposal-repository.ts';

interface AutoCreateServiceDependencies {
  queue: HeadlessQueue;
  runs: Pick<DocumentRunRepository, 'logOf'>;
  proposals: Pick<ProposalRepository, 'runOf'>;
  decisions: ProposalDecisions;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get'>;
  /** The organization's setting for calls that need approval. */
  onAskDefault: (organizationId: string) => Promise<OnAsk>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
}

/** The proposals of documents. Throws `document_not_found` for a missing document. */
export type AutoCreateService = ReturnType<ReturnType<typeof createAutoCreateService>>;

export function createAutoCreateService(dependencies: AutoCreateServiceDependencies) {
  const { queue, runs, proposals, decisions, checkTags, onAskDefault } = dependencies;
  return (actor: Actor) => {
    const { organizationId, userId, role } = actor;
    const documents = dependencies.documentsFor(actor);

    async function withLog(document: Document): Promise<Document> {
      if (!document.auto_create) return document;
      const runId = await proposals.runOf(organizationId, document.id);
      const agent_log = runId && (await runs.logOf(organizationId, runId));
      return agent_log ? { ...document, auto_create: { ...document.auto_create, agent_log } } : document;
    }

    return {
      /** Adds the log of its run to the document. */
      withLog,
      /**
       * Starts a run. A pending proposal is rejected first, because it is requested again: throws `proposal_verified` if a
       * user has verified its result. Throws `auto_create_running` while one is queued or runs, `document_not_read_yet`, `document_has_no_text`.
       */
      async start(
        documentId: string,
        { on_ask, including_verified: includingVerified }: StartAutoCreateBody = {},
      ): Promise<Document> {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        if (auto_create?.status === 'proposed') {
          await decisions.take({ organizationId, documentId, userId }, { status: 'rejected', includingVerified });
        }
        const [answer] = await queue.queue([
          {
            kind: 'auto_create',
            organizationId,
            documentId,
            requestedBy: userId,
            role,
            onAsk: on_ask ?? (await onAskDefault(organizationId)),
          },
        ]);
        if (answer && 'refused' in answer) {
          throw new DomainError('conflict', answer.refused.code, answer.refused.message);
        }
        return await documents.get(documentId);
      },
      /** Throws `not_proposed` if no proposal is pending. Of concurrent decisions only the first succeeds. */
      async accept(documentId: string, { tag_id }: AcceptProposalBody): Promise<Document> {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        if (tag_id !== undefined) await checkTags(organizationId, [tag_id]);
        const decision = { status: 'accepted' as const, tagId: tag_id };
        if (!(await decisions.take({ organizationId, documentId, userId }, decision))) throw notProposed(auto_create);
        return await withLog(await documents.get(documentId));
      },
      async reject(
        documentId: string,
        { including_verified: includingVerified }: RejectProposalBody = {},
      ): Promise<Document> {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        const decision = { status: 'rejected' as const, includingVerified };
        const isTaken = await decisions.take({ organizationId, documentId, userId }, decision);
        if (!isTaken) throw notProposed(auto_create);
        return await withLog(await documents.get(documentId));
      },
    };
  };
}

function notProposed(proposal: Document['auto_create']): DomainError {
  const reasons = {
    running: 'a run is still working on one',
    accepted: 'it was already accepted',
    rejected: 'it was already rejected',
    failed: 'the run failed; start it again',
    proposed: 'another user has just decided on it',
  };
  const reason = proposal ? reasons[proposal.status] : 'nothing was ever proposed for it; start a run first';
  return new DomainError('conflict', 'not_proposed', `This document has no pending proposal: ${reason}.`);
}

const batchSize = 100;

/** Runs requested at upload. Each is queued once the text of its document has been read. */
export function createPendingRuns(
  proposals: Pick<ProposalRepository, 'pending' | 'markQueued'>,
  runs: Pick<DocumentRunRepository, 'insert'>,
) {
  return {
    /** Queues the pending run of a document, or of all documents. Returns their number. Idempotent. */
    async queue(documentId?: string) {
      const pending = await proposals.pending(documentId === undefined ? { limit: batchSize } : { documentId });
      for (const { runId, ...run } of pending) {
        // The same id every time: the run is queued once, even if the process dies between the two writes.
        const queued = await runs.insert({ ...run, kind: 'auto_create', id: runId });
        await proposals.markQueued({ runId, ...run }, queued?.id === runId);
      }
      return pending.length;
    },
  };
}
