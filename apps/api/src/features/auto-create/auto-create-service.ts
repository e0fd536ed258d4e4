import {
  DomainError,
  type AcceptProposalBody,
  type Document,
  type OnAsk,
  type StartAutoCreateBody,
} from '@docwright/contract';
import type { DocumentService } from '../documents/index.ts';
import type { DocumentRunRepository, HeadlessQueue } from '../headless/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { Decisions } from './decisions.ts';
import type { ProposalRepository } from './proposal-repository.ts';

interface AutoCreateServiceDependencies {
  queue: HeadlessQueue;
  runs: Pick<DocumentRunRepository, 'logOf'>;
  proposals: Pick<ProposalRepository, 'runOf'>;
  decisions: Decisions;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get'>;
  /** What the organization has set for proposals. */
  onAskDefault: (organizationId: string) => Promise<OnAsk>;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
}

/** Proposals of one person's organization. A missing document is `document_not_found`. */
export interface AutoCreateService {
  /**
   * Starts a run by hand. A proposal that waits is rejected first: it is asked for anew. Throws `auto_create_running`
   * while one is queued or runs, `document_not_read_yet`, `document_has_no_text`.
   */
  start(documentId: string, body?: StartAutoCreateBody): Promise<Document>;
  /** Throws `not_proposed` unless a proposal waits, for all but the first of those who decide at once. */
  accept(documentId: string, body: AcceptProposalBody): Promise<Document>;
  reject(documentId: string): Promise<Document>;
  /** The document with its run's log. */
  withLog(document: Document): Promise<Document>;
}

export function createAutoCreateService(
  dependencies: AutoCreateServiceDependencies,
): (actor: Actor) => AutoCreateService {
  const { queue, runs, proposals, decisions, checkTags, onAskDefault } = dependencies;
  return (actor) => {
    const { organizationId, userId, role } = actor;
    const documents = dependencies.documentsFor(actor);

    async function withLog(document: Document): Promise<Document> {
      if (!document.auto_create) return document;
      const runId = await proposals.runOf(organizationId, document.id);
      const agent_log = runId && (await runs.logOf(organizationId, runId));
      return agent_log ? { ...document, auto_create: { ...document.auto_create, agent_log } } : document;
    }

    return {
      withLog,
      async start(documentId, { on_ask } = {}) {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        if (auto_create?.status === 'proposed') {
          await decisions.take({ organizationId, documentId, userId }, { status: 'rejected' });
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
      async accept(documentId, { tag_id }) {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        if (tag_id !== undefined) await checkTags(organizationId, [tag_id]);
        const decision = { status: 'accepted' as const, tagId: tag_id };
        if (!(await decisions.take({ organizationId, documentId, userId }, decision))) throw notProposed(auto_create);
        return await withLog(await documents.get(documentId));
      },
      async reject(documentId) {
        requireWriter(actor);
        const { auto_create } = await documents.get(documentId);
        const isTaken = await decisions.take({ organizationId, documentId, userId }, { status: 'rejected' });
        if (!isTaken) throw notProposed(auto_create);
        return await withLog(await documents.get(documentId));
      },
    };
  };
}

function notProposed(proposal: Document['auto_create']): DomainError {
  const stands = {
    running: 'a run is still working on one',
    accepted: 'it was accepted already',
    rejected: 'it was rejected already',
    failed: 'the run failed; start it again',
    proposed: 'somebody else has just decided on it',
  };
  const reason = proposal ? stands[proposal.status] : 'nothing was ever proposed for it; start a run first';
  return new DomainError('conflict', 'not_proposed', `No proposal waits on this document: ${reason}.`);
}
