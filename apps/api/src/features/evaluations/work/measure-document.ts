import type { LlmClient } from '@docwright/agent-core';
import { DomainError, type Document, type Schema } from '@docwright/contract';
import type { Page } from '@docwright/documents';
import type { DocumentService } from '../../documents/index.ts';
import {
  type ExamplesFor,
  extractDocument,
  canHaveRows,
  surveyDocument,
  formatValidator,
  requireText,
  type VerifiedResultRepository,
} from '../../extractions/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { LlmFor } from '../../llm/index.ts';
import type { DataValidator } from '../../schemas/index.ts';
import { evaluateDocument, type EvaluatedDocument } from '../records/evaluated-document.ts';
import type { MeasuredSetup } from '../records/evaluation-model.ts';
import type { StoredEvaluation } from '../records/evaluation-repository.ts';
import type { createReleaseEffect } from './release-effect.ts';
import type { DocumentToMeasure } from './evaluation-work-repository.ts';

export interface MeasurementDependencies {
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'get'>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get' | 'pages'>;
  schemasFor: (actor: Actor) => { get(schema_revid: string): Promise<Schema> };
  llmFor: LlmFor;
  validateData: DataValidator;
  examplesFor: ExamplesFor;
  releaseEffect: ReturnType<typeof createReleaseEffect>;
}

interface Measurement {
  actor: Actor;
  evaluation: StoredEvaluation;
  document: DocumentToMeasure;
  /** Wraps the client to count its cost. */
  llm: (client: LlmClient) => LlmClient;
  /** Asks a model within the concurrency limit. Throws if the evaluation has ended or another process has it. */
  inTurn: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;
  /** Stores an answer at once, since it was paid for. Throws if another process has the evaluation. */
  save: (answer: { before: unknown } | { after: unknown }) => Promise<void>;
  signal: AbortSignal;
}

/** Measures the effect of a change on one document. Writes only through `save`. */
export function createDocumentMeasurement(dependencies: MeasurementDependencies) {
  const { verifiedOf, documentsFor, schemasFor, llmFor, validateData, examplesFor, releaseEffect } = dependencies;

  async function extract(setup: MeasuredSetup, document: Document, pages: Page[], task: Measurement): Promise<unknown> {
    const { organizationId, userId } = task.actor;
    const { response_format } = setup;
    const examples = await examplesFor({
      organizationId,
      promptId: task.evaluation.prompt_id,
      documentId: document.id,
      pages: inOrder(pages),
      count: setup.examples,
      responseFormat: response_format,
    });
    const survey = await surveyDocument(inOrder(pages), canHaveRows(response_format));
    const { result } = await task.inTurn(() =>
      extractDocument(
        {
          llm: task.llm(
            llmFor({
              organizationId,
              userId,
              documentId: document.id,
              promptId: task.evaluation.prompt_id,
            }),
          ),
          model: setup.model,
          prompt: setup.content,
          documentName: document.document_name,
          responseFormat: response_format,
          examples,
          validate: formatValidator(validateData),
          signal: task.signal,
        },
        {
          survey,
          // Only values that differ are grounded, later.
          ground: async () => ({}),
          pagesBetween: async () => [],
          textsBetween: async (from, to) => pages.filter(({ page_num }) => page_num >= from && page_num <= to),
          maxRequests: survey.pieces.length * 2,
        },
      ),
    );
    return result;
  }

  return async (task: Measurement): Promise<EvaluatedDocument> => {
    const { actor, evaluation, document: waiting } = task;
    const truth = await verifiedOf(actor.organizationId).get(waiting);
    const documents = documentsFor(actor);
    const document = await documents.get(waiting.document_id);
    if (!truth) throw truthChanged();
    const pages = await documents.pages(document.id);
    const hasText = pages.some(({ text }) => text.trim() !== '');
    requireText(document, { hasText, pageCount: pages.length });
    let { before, after } = waiting;
    if (before === undefined) {
      before = await extract(evaluation.before, document, pages, task);
      await task.save({ before });
    }
    if (after === undefined) {
      after = await extract(evaluation.after, document, pages, task);
      await task.save({ after });
    }
    const truthSchema = truth.schema_revid === null ? undefined : await schemasFor(actor).get(truth.schema_revid);
    const release = await releaseEffect({
      actor,
      promptId: evaluation.prompt_id,
      documentId: document.id,
      pages,
      before: { setup: evaluation.before, result: before },
      after: { setup: evaluation.after, result: after },
    });
    const measured = await evaluateDocument({
      truth: truth.result,
      truthSchema: truthSchema?.response_format.json_schema.schema,
      truthGrounding: truth.grounding,
      before,
      after,
      candidateSchema: evaluation.after.response_format?.json_schema.schema,
      pages,
    });
    return { ...measured, ...(release && { release }) };
  };
}

async function* inOrder(pages: readonly Page[]): AsyncGenerator<Page> {
  yield* pages;
}

const truthChanged = (): DomainError =>
  new DomainError(
    'conflict',
    'version_conflict',
    'The verified result was changed after the evaluation started. Evaluate again to measure against it.',
  );
