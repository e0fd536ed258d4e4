import { groundResult } from '@docwright/documents';
import type { Connection } from 'mongoose';
import type { AuditWrites } from '../audit/index.ts';
import { type DocumentService, createPageRepositories } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor, ModelService } from '../llm/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { DataValidator, SchemaService } from '../schemas/index.ts';
import type { TagService } from '../tags/index.ts';
import { createReviewReaders } from '../value-risk/index.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';
import { createExamples, type ExamplesFor } from './example-service.ts';
import { createVersionReaders } from './records/extraction-version-repository.ts';
import { createExtractionRuns, type ExtractionRuns } from './long/extraction-runs.ts';
import type { createProgressRepositories } from './long/progress-repository.ts';
import { createExtractionService, type ExtractionService } from './extraction-service.ts';
import { createVerifiedResultRepositories } from './records/verified-result-repository.ts';

interface ExtractionAreaDependencies {
  connection: Connection;
  auditWrites: AuditWrites;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  progressOf: ReturnType<typeof createProgressRepositories>;
  documents: (actor: Actor) => DocumentService;
  schemas: (actor: Actor) => SchemaService;
  prompts: (actor: Actor) => PromptService;
  validateData: DataValidator;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  maxExtractionRequests: number;
}

/** Extractions, and the services of their tags, schemas and prompts. */
export interface ExtractionServices {
  tags: (actor: Actor) => TagService;
  schemas: (actor: Actor) => SchemaService;
  prompts: (actor: Actor) => PromptService;
  extractions: (actor: Actor) => ExtractionService;
}

/** Follows and stops running extractions. */
export interface ExtractionRunServices {
  extractionRuns: (actor: Actor) => ExtractionRuns;
}

export function createExtractionServices(
  dependencies: ExtractionAreaDependencies,
): Pick<ExtractionServices, 'extractions'> & ExtractionRunServices & { examplesFor: ExamplesFor } {
  const { connection, extractionsOf, progressOf, documents, schemas, prompts, validateData, models, llmFor } =
    dependencies;
  const examplesFor = createExamples({
    verifiedOf: createVerifiedResultRepositories(connection),
    pagesOf: createPageRepositories(connection),
  });
  const extractions = createExtractionService({
    auditWrites: dependencies.auditWrites,
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
  return { extractions, examplesFor, extractionRuns };
}
