import type { EvaluateBeforeApproval, Role } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { DocumentService } from '../documents/document-service.ts';
import type { ExamplesFor } from '../extractions/example-service.ts';
import { createMatchingDocumentRepositories } from '../extractions/matching-document-repository.ts';
import { createVerifiedResultRepositories } from '../extractions/verified-result-repository.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { ModelService } from '../llm/model-service.ts';
import type { PromptService } from '../prompts/prompt-service.ts';
import { createDataValidator } from '../schemas/data-validator.ts';
import type { SchemaService } from '../schemas/schema-service.ts';
import { createPromptRepositories } from '../prompts/prompt-repository.ts';
import { createAgentEvaluations } from './agent-evaluations.ts';
import { createCallEvidence } from './call-evidence.ts';
import { createAccuracyService, type StraightThroughSums } from './accuracy-service.ts';
import { createEvaluationRepositories } from './records/evaluation-repository.ts';
import { createEvaluationService } from './evaluation-service.ts';
import { createEvaluationWorkRepository } from './work/evaluation-work-repository.ts';
import { createEvaluationWorker } from './work/evaluation-worker.ts';

export function createEvaluationServices(dependencies: {
  connection: Connection;
  documents: (actor: Actor) => DocumentService;
  prompts: (actor: Actor) => PromptService;
  schemas: (actor: Actor) => SchemaService;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  examplesFor: ExamplesFor;
  identity: {
    roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
    evaluationSettings: (organizationId: string) => Promise<{ mode: EvaluateBeforeApproval; budgetSpu: number }>;
  };
  straightThrough: StraightThroughSums;
  requireBudget: (organizationId: string) => Promise<void>;
  wake: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}) {
  const { connection, documents, prompts, schemas, models, llmFor, examplesFor, identity } = dependencies;
  const { straightThrough, requireBudget, wake, log } = dependencies;
  const { roleOf, evaluationSettings: settingsOf } = identity;
  const evaluationsOf = createEvaluationRepositories(connection);
  const verifiedOf = createVerifiedResultRepositories(connection);
  const matchingOf = createMatchingDocumentRepositories(connection);
  const promptsOf = createPromptRepositories(connection);
  const shared = { evaluationsOf, verifiedOf, promptsFor: prompts, schemasFor: schemas, models };
  const evaluations = createEvaluationService({
    ...shared,
    namesOf: (organizationId, ids) => matchingOf(organizationId).namesOf(ids),
    requireBudget,
    wake,
  });
  const evidence = createCallEvidence({
    ...shared,
    evaluations,
    promptIdsOf: async (organizationId, schema_id, limit) => {
      const { revisions } = await promptsOf(organizationId).list({ skip: 0, limit, schema_id, review: 'any' });
      return revisions.map(({ artifact_id }) => artifact_id);
    },
    settingsOf,
  });
  return {
    evaluations,
    evidence,
    agentEvaluations: createAgentEvaluations({ evaluations, evidence, settingsOf }),
    accuracy: createAccuracyService({ verifiedOf, straightThrough, promptsFor: prompts, schemasFor: schemas }),
    evaluationWorker: createEvaluationWorker({
      work: createEvaluationWorkRepository(connection),
      verifiedOf,
      documentsFor: documents,
      schemasFor: schemas,
      llmFor,
      validateData: createDataValidator(),
      examplesFor,
      roleOf,
      log,
    }),
  };
}

/** What evaluations hold of a document goes with it. */
export function createEvaluationRemoval(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const evaluationsOf = createEvaluationRepositories(connection);
  return (organizationId, documentId) => evaluationsOf(organizationId).forgetDocument(documentId);
}
