import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/index.ts';
import {
  createDecisionRepository,
  createDecisions,
  createFittingKinds,
  createFreeName,
  createKindRepository,
  createProposalRepository,
  createProposalService,
  createProposedKindRepository,
  createRejectionRepository,
  createSettleProposal,
  createUndoAcceptance,
  createUndoRejection,
} from '../auto-create/index.ts';
import type { ArtifactServices } from '../document-agent/index.ts';
import { createPageRepositories } from '../documents/index.ts';
import { createIncompleteResults, type ExtractionRepository } from '../extractions/index.ts';
import type { createClaimRepository, createDocumentRunRepository } from '../headless/index.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import type { Rejudging } from '../release/index.ts';
import { createEndReview, createReopenReview } from '../revisions/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';
import { createTagRepositories } from '../tags/index.ts';
import type { UndoServices } from '../undo/index.ts';

export interface ProposalDependencies {
  connection: Connection;
  artifacts: ArtifactServices;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  auditOf: AuditServices['auditOf'];
  undo: Pick<UndoServices, 'undoWrites'>;
  /** A proposal that waits for its acceptance is not released, nor a result whose run waits for a decision. */
  rejudging: Rejudging;
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
}

/** Composes what runs propose, the kinds of documents that they know, and what users decide about it. */
export function createProposalServices(
  dependencies: ProposalDependencies & {
    runs: ReturnType<typeof createDocumentRunRepository>;
    claims: ReturnType<typeof createClaimRepository>;
  },
) {
  const { connection, artifacts, extractionsOf, auditOf, undo, rejudging, checkTags, runs, claims } = dependencies;
  const { documents, prompts } = artifacts;
  const proposals = createProposalRepository(connection);
  const promptsOf = createPromptRepositories(connection);
  const kinds = createKindRepository(connection);
  const schemasOf = createSchemaRepositories(connection);
  const freeName = createFreeName({ schema: schemasOf, prompt: promptsOf });
  const fittingKinds = createFittingKinds({ kinds, promptsOf, schemasOf, pagesOf: createPageRepositories(connection) });
  const settleProposal = createSettleProposal({
    proposals,
    claims,
    kinds,
    fittingKinds,
    promptsOf,
    extractionsOf,
    tagsOf: createTagRepositories(connection),
  });
  const rejections = createRejectionRepository(connection);
  const { undo: undoRejection, restoreDocument } = createUndoRejection({
    rejections,
    kinds,
    freeName,
    promptsOf,
    schemasOf,
    promptsFor: prompts,
    schemasFor: artifacts.schemas,
    tagsOf: createTagRepositories(connection),
  });
  const decisions = createDecisions({
    rejections,
    restoreDocument,
    proposals: createDecisionRepository(connection),
    kinds,
    freeName,
    schemasFor: artifacts.schemas,
    turnIdsOf: (organizationId, runIds) => runs.turnIdsOf(organizationId, runIds),
    undoWrites: undo.undoWrites,
    auditOf,
    endReview: {
      prompt: rejudging.after(createEndReview(connection, 'prompt')),
      schema: createEndReview(connection, 'schema'),
    },
    promptsFor: prompts,
    extractionsOf,
    documentsFor: documents,
  });
  const undoAcceptance = createUndoAcceptance({
    proposals: createDecisionRepository(connection),
    kinds,
    promptsFor: prompts,
    promptsOf,
    reopenReview: {
      prompt: rejudging.after(createReopenReview(connection, 'prompt')),
      schema: createReopenReview(connection, 'schema'),
    },
  });
  const service = createProposalService({
    proposedKinds: createProposedKindRepository(connection),
    incompleteResults: createIncompleteResults(connection),
    promptsOf,
    schemasOf,
    decisions,
    tagsFor: artifacts.tags,
    checkTags,
    auditOf,
  });

  return {
    service,
    proposals,
    kinds,
    fittingKinds,
    freeName,
    settleProposal,
    decisions,
    rejections,
    undoAcceptance,
    undoRejection,
  };
}
