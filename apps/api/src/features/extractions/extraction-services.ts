import { groundResult } from '@docwright/documents';
import type { Connection } from 'mongoose';
import type { DocumentRepository } from '../documents/document-repository.ts';
import type { DocumentService } from '../documents/document-service.ts';
import { createPageRepositories } from '../documents/reading/page-repository.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { ModelService } from '../llm/model-service.ts';
import { createEndReview } from '../revisions/review-repository.ts';
import { createPromptRepositories } from '../prompts/prompt-repository.ts';
import { createPromptService, type PromptService } from '../prompts/prompt-service.ts';
import { createDataValidator } from '../schemas/data-validator.ts';
import { createSchemaRepositories } from '../schemas/schema-repository.ts';
import { createSchemaService, type SchemaService } from '../schemas/schema-service.ts';
import type { TagRepository } from '../tags/tag-repository.ts';
import { createTagCheck, createTagService, type TagService } from '../tags/tag-service.ts';
import { createReviewReaders } from '../value-risk/review-rules-repository.ts';
import type { ExtractionRepository } from './extraction-repository.ts';
import { createExamples, type ExamplesFor } from './example-service.ts';
import { createVersionReaders } from './extraction-version-repository.ts';
import { createExtractionRuns, type ExtractionRuns } from './long/extraction-runs.ts';
import { createProgressRepositories } from './long/progress-repository.ts';
import { createExtractionService, type ExtractionService } from './extraction-service.ts';
import { createRescoring, createVerifiedResultRepositories } from './verified-result-repository.ts';

export interface ExtractionAreaDependencies {
  connection: Connection;
  tagsOf: (organizationId: string) => TagRepository;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  documentsOf: (organizationId: string) => Pick<DocumentRepository, 'get' | 'countWithTag'>;
  documents: (actor: Actor) => DocumentService;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  maxExtractionRequests: number;
}

export interface ExtractionServices {
  tags: (actor: Actor) => TagService;
  schemas: (actor: Actor) => SchemaService;
  prompts: (actor: Actor) => PromptService;
  extractions: (actor: Actor) => ExtractionService;
}

/** What follows and stops extractions that run. */
export interface ExtractionRunServices {
  extractionRuns: (actor: Actor) => ExtractionRuns;
}

/** Extractions, and what they are made of: schemas, prompts and the tags that tie prompts to documents. */
export function createExtractionServices(
  dependencies: ExtractionAreaDependencies,
): ExtractionServices & ExtractionRunServices & { examplesFor: ExamplesFor } {
  const { connection, tagsOf, extractionsOf, documentsOf, documents, models, llmFor } = dependencies;
  const schemasOf = createSchemaRepositories(connection);
  const promptsOf = createPromptRepositories(connection);
  const validateData = createDataValidator();
  // What uses a schema or a tag, accepted or not.
  const users = { skip: 0, limit: 5, review: 'any' } as const;

  const schemas = createSchemaService({
    schemasOf,
    promptsUsing: async (organizationId, schema_id) =>
      (await promptsOf(organizationId).list({ ...users, schema_id })).revisions,
    validateData,
  });
  const prompts = createPromptService({
    promptsOf,
    schemasOf,
    endSchemaReview: createEndReview(connection, 'schema'),
    checkTags: createTagCheck(tagsOf),
    tagsOfDocument: async (organizationId, documentId) => (await documentsOf(organizationId).get(documentId))?.tag_ids,
    policyChanged: createRescoring(connection),
    checkModel: async (organizationId, model) => void (await models(organizationId).resolveModel(model)),
  });
  const tags = createTagService({
    tagsOf,
    countDocumentsWith: async (organizationId, tagId) => await documentsOf(organizationId).countWithTag(tagId),
    countPromptsWith: async (organizationId, tagId) =>
      (await promptsOf(organizationId).list({ ...users, tag_ids: [tagId] })).total_count,
  });
  const examplesFor = createExamples({
    verifiedOf: createVerifiedResultRepositories(connection),
    pagesOf: createPageRepositories(connection),
  });
  const progressOf = createProgressRepositories(connection);
  const extractions = createExtractionService({
    extractionsOf,
    versionsOf: createVersionReaders(connection),
    reviewOf: createReviewReaders(connection),
    documentsFor: documents,
    promptsFor: prompts,
    schemasFor: schemas,
    models,
    llmFor,
    validateData,
    examplesFor,
    ground: groundResult,
    progressOf,
    maxRequests: dependencies.maxExtractionRequests,
  });
  const extractionRuns = createExtractionRuns({
    progressOf,
    getDocument: (actor, id) => documents(actor).get(id),
    getResult: (actor, document_id, prompt_revid) => extractions(actor).get(document_id, prompt_revid),
    plan: (actor, document_id, prompt_revid) => extractions(actor).plan(document_id, prompt_revid),
  });
  return { tags, schemas, prompts, extractions, examplesFor, extractionRuns };
}
