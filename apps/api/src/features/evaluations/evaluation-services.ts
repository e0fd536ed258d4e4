import type { Role } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { DocumentService } from '../documents/document-service.ts';
import { createMatchingDocumentRepositories } from '../extractions/matching-document-repository.ts';
import { createVerifiedResultRepositories } from '../extractions/verified-result-repository.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { ModelService } from '../llm/model-service.ts';
import type { PromptService } from '../prompts/prompt-service.ts';
import { createDataValidator } from '../schemas/data-validator.ts';
import type { SchemaService } from '../schemas/schema-service.ts';
import { createEvaluationRepositories } from './evaluation-repository.ts';
import { createEvaluationService } from './evaluation-service.ts';
import { createEvaluationWorkRepository } from './evaluation-work-repository.ts';
import { createEvaluationWorker, type EvaluationWorkerLimits } from './evaluation-worker.ts';

export function createEvaluationServices(dependencies: {
  connection: Connection;
  documents: (actor: Actor) => DocumentService;
  prompts: (actor: Actor) => PromptService;
  schemas: (actor: Actor) => SchemaService;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  wake: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  limits?: EvaluationWorkerLimits | undefined;
}) {
  const { connection, documents, prompts, schemas, models, llmFor, roleOf, wake, log, limits } = dependencies;
  const evaluationsOf = createEvaluationRepositories(connection);
  const verifiedOf = createVerifiedResultRepositories(connection);
  const matchingOf = createMatchingDocumentRepositories(connection);
  return {
    evaluations: createEvaluationService({
      evaluationsOf,
      verifiedOf,
      promptsFor: prompts,
      schemasFor: schemas,
      models,
      namesOf: (organizationId, ids) => matchingOf(organizationId).namesOf(ids),
      wake,
    }),
    evaluationWorker: createEvaluationWorker({
      work: createEvaluationWorkRepository(connection),
      verifiedOf,
      documentsFor: documents,
      schemasFor: schemas,
      llmFor,
      validateData: createDataValidator(),
      roleOf,
      log,
      ...(limits && { limits }),
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
