import { DomainError, type EvaluateBeforeApproval } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { DocumentServices } from '../documents/index.ts';
import {
  type ExamplesFor,
  type ExtractionServices,
  createMatchingDocumentRepositories,
  createVerifiedResultRepositories,
} from '../extractions/index.ts';
import type { Actor, IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import { createActivePolicies } from '../release/index.ts';
import { createResultDocuments, type ResultIndexRepository } from '../results/index.ts';
import { createReviewReaders } from '../value-risk/index.ts';
import type { StraightThroughSums } from '../review/index.ts';
import { createDataValidator, createSchemaRepositories } from '../schemas/index.ts';
import { createCallEvidence, type CallEvaluations } from './call-evidence.ts';
import { createKeptSums } from '../../platform/database/kept-sums/kept-sums.ts';
import { createAccuracyService } from './accuracy-service.ts';
import { createAccuracySums } from './accuracy-sums.ts';
import { createEvaluationRepositories } from './records/evaluation-repository.ts';
import { createEvaluationService, type EvaluationService } from './evaluation-service.ts';
import { createEvaluationWorkRepository } from './work/evaluation-work-repository.ts';
import { createReleaseEffect } from './work/release-effect.ts';
import { createEvaluationWorker } from './work/evaluation-worker.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentAgentServices } from '@docwright/agent-core';

export interface EvaluationNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  artifacts: Pick<ExtractionServices, 'prompts' | 'schemas'> &
    Pick<DocumentServices, 'documents'> & { examplesFor: ExamplesFor };
  identity: Pick<IdentityServices, 'roleOf' | 'evaluationSettings'>;
  jobs: Pick<JobQueue, 'wake'>;
  straightThrough: Pick<StraightThroughSums, 'ofPrompt'>;
  resultIndex: ResultIndexRepository;
  requireBudget: (organizationId: string) => Promise<void>;
  logger: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export const evaluateJobName = 'evaluate';
export const sumsJobName = 'keep the sums of accuracy';

export function createEvaluationServices(needs: EvaluationNeeds) {
  const { connection, models, llmFor, identity, jobs, straightThrough, resultIndex, requireBudget, logger } = needs;
  const { documents, prompts, schemas, examplesFor } = needs.artifacts;
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
    wake: () => jobs.wake(evaluateJobName),
  });
  const schemasOf = createSchemaRepositories(connection);
  const accuracySums = createAccuracySums({
    sums: createKeptSums(connection),
    verifiedOf,
    index: resultIndex,
    documents: createResultDocuments(connection),
    schemaOf: async (organizationId, revid) => (await schemasOf(organizationId).get(revid))?.content.json_schema.schema,
    wake: () => jobs.wake(sumsJobName),
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
    accuracy: createAccuracyService({ sums: accuracySums, straightThrough, promptsFor: prompts }),
    accuracySums,
    evaluationWorker: createEvaluationWorker({
      work: createEvaluationWorkRepository(connection),
      verifiedOf,
      documentsFor: documents,
      schemasFor: schemas,
      llmFor,
      validateData: createDataValidator(),
      examplesFor,
      releaseEffect: createReleaseEffect({
        activePolicy: createActivePolicies(connection),
        readerOf: createReviewReaders(connection),
        schemasFor: schemas,
        validateData: createDataValidator(),
      }),
      roleOf,
      log: logger,
    }),
  };
}

/** Removes a document's values from evaluations when the document is removed. */
export function createEvaluationRemoval(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const evaluationsOf = createEvaluationRepositories(connection);
  return (organizationId, documentId) => evaluationsOf(organizationId).forgetDocument(documentId);
}

const pollMs = 200;
const worstDifferences = 10;

/** The evaluations that the document agent can start for a user. */
function createAgentEvaluations(dependencies: {
  evaluations: (actor: Actor) => EvaluationService;
  evidence: (actor: Actor) => CallEvaluations;
  settingsOf: (
    organizationId: string,
  ) => Promise<{ mode: EvaluateBeforeApproval; budgetSpu: number; askAbove: number }>;
}): (actor: Actor) => DocumentAgentServices['evaluations'] {
  return (actor) => {
    const evaluations = dependencies.evaluations(actor);
    return {
      ofProposal: (tool, args, { call_id, turn_id = '' }) =>
        dependencies.evidence(actor).ofProposal({ tool, args, call_id, turn_id }),
      async size(change) {
        const { askAbove } = await dependencies.settingsOf(actor.organizationId);
        const { documents } = await evaluations.estimate({ ...change, baseline: 'auto' });
        return { documents, askAbove };
      },
      async measure(change, signal) {
        const { budgetSpu } = await dependencies.settingsOf(actor.organizationId);
        if (budgetSpu === 0) throw noBudget();
        const { id } = await evaluations.create({ ...change, baseline: 'auto' }, { spu_limit: budgetSpu });
        for (;;) {
          const evaluation = await evaluations.get(id);
          if (evaluation.ended_at !== null) {
            const { differences } = await evaluations.differences(id, { skip: 0, limit: worstDifferences });
            return { evaluation, differences };
          }
          if (signal.aborted) await evaluations.stop(id).catch(() => undefined);
          signal.throwIfAborted();
          await sleep(pollMs);
        }
      },
    };
  };
}

const noBudget = (): DomainError =>
  new DomainError(
    'invalid',
    'evaluation_budget_exhausted',
    'This organization has no budget for automatic evaluations (evaluation_budget_spu is 0). Propose the change; the user can measure it on its card.',
  );
