import {
  DomainError,
  defaultEvaluatedDocuments,
  type CreateEvaluationBody,
  type DifferenceListQuery,
  type Evaluation,
  type EvaluationDifference,
  type EvaluationEstimate,
  type Prompt,
  type Counted,
} from '@docwright/contract';
import { compareResults } from '@docwright/scorer';
import { maxExampleTokens } from '../examples/index.ts';
import type { TruthReference, VerifiedResultRepository } from '../extractions/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import { changeOf, sealOf, type CandidateChange, type ChangeDependencies } from './candidate.ts';
import type { EvaluationRepository, StoredEvaluation } from './records/evaluation-repository.ts';
import { pageOfDifferences, presentEvaluation } from './evaluation-presentation.ts';
import { presentEachLater } from '../../platform/records/unreadable-records.ts';

interface EvaluationServiceDependencies {
  evaluationsOf: (organizationId: string) => EvaluationRepository;
  verifiedOf: (organizationId: string) => VerifiedResultRepository;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
  schemasFor: (actor: Actor) => ChangeDependencies['schemas'];
  models: (organizationId: string) => ChangeDependencies['models'];
  namesOf: (organizationId: string, documentIds: string[]) => Promise<Map<string, string>>;
  /** Throws `budget_exhausted`, so that no evaluation is queued that cannot start. */
  requireBudget: (organizationId: string) => Promise<void>;
  wake: () => Promise<void>;
}

/** The call of an agent that is measured. */
interface MeasuredCall {
  turn_id: string;
  call_id: string;
  arguments: unknown;
}
interface EvaluationLimits {
  spu_limit?: number | undefined;
  call?: MeasuredCall | undefined;
  /** The id of the evaluation, for a caller that needs it before. */
  id?: string;
  beforeInsert?: () => Promise<unknown>;
}

interface Page extends Counted {
  skip: number;
  limit: number;
}

/** The evaluations of one organization. All members can read them; viewers cannot start any. */
export type EvaluationService = ReturnType<typeof evaluationServiceFor>;

/** The limit of active evaluations in one organization. */
const maxActive = 20;

export const createEvaluationService =
  (dependencies: EvaluationServiceDependencies) =>
  (actor: Actor): EvaluationService =>
    evaluationServiceFor(actor, dependencies);

function evaluationServiceFor(actor: Actor, dependencies: EvaluationServiceDependencies) {
  const { organizationId } = actor;
  const evaluations = dependencies.evaluationsOf(organizationId);
  const verified = dependencies.verifiedOf(organizationId);
  const prompts = dependencies.promptsFor(actor);
  const schemas = dependencies.schemasFor(actor);
  const models = dependencies.models(organizationId);

  async function plan(body: CreateEvaluationBody): Promise<Plan> {
    const { prompt_id, document_ids, max_documents, baseline, ...candidate } = body;
    const prompt = await currentPrompt(prompt_id);
    const change = await changeOf(prompt, candidate, { schemas, models });
    const truth = await verified.truth(prompt_id);
    if (truth.length === 0) throw nothingVerified(`No result of the prompt "${prompt.name}" is verified yet.`);
    const chosen = await choose(truth, document_ids, max_documents);
    const stored = baseline === 'run' ? new Map() : await storedBaselines(change, chosen, baseline);
    const documents = chosen.map((reference) => ({
      ...reference,
      ...(stored.has(reference.document_id) && { before: stored.get(reference.document_id) as unknown }),
      spu_estimated: spuOfRuns(
        reference.spu,
        stored.has(reference.document_id) ? [change.after] : [change.before, change.after],
      ),
    }));
    return { change, candidate, truth, documents };
  }

  async function currentPrompt(prompt_id: string): Promise<Prompt> {
    return await prompts.getCurrent(prompt_id).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
      throw unknownReference('There is no such prompt. Use a prompt_id from the list of prompts.');
    });
  }

  async function choose(truth: TruthReference[], ids: string[] | undefined, max = defaultEvaluatedDocuments) {
    if (!ids) return truth.slice(0, max);
    const names = await dependencies.namesOf(organizationId, ids);
    const missing = ids.find((id) => !names.has(id));
    if (missing !== undefined) throw unknownReference(`There is no document ${missing}.`);
    const chosen = truth.filter(({ document_id }) => ids.includes(document_id));
    if (chosen.length === 0) throw nothingVerified('None of these documents has a verified result of the prompt.');
    return chosen.slice(0, max === defaultEvaluatedDocuments ? ids.length : max);
  }

  /** The stored results of the current prompt, by document id. */
  async function storedBaselines(
    { prompt, before }: CandidateChange,
    chosen: TruthReference[],
    choice: 'stored' | 'auto',
  ) {
    const ids = chosen.map(({ document_id }) => document_id);
    const found = await verified.stored(prompt.prompt_revid, ids);
    const baselines = new Map<string, unknown>();
    for (const reference of chosen) {
      const current = found.get(reference.document_id);
      if (current && (choice === 'stored' || current.model === before.model)) {
        baselines.set(reference.document_id, current.original_result);
      } else if (choice === 'stored') {
        const truth = await verified.get(reference);
        if (truth) baselines.set(reference.document_id, truth.original_result);
      }
    }
    return baselines;
  }

  /** Refuses a schema without any field of the verified results: its evaluation would cost runs and show nothing. */
  async function requireComparable({ change, documents }: Plan): Promise<void> {
    if (change.after.response_format === change.before.response_format) return;
    for (const reference of documents) {
      const truth = await verified.get(reference);
      if (!truth) continue;
      const { result } = truth;
      const truthSchema = truth.schema_revid === null ? undefined : await schemas.get(truth.schema_revid);
      const { totals } = await compareResults({
        truth: result,
        before: result,
        after: result,
        truthSchema: truthSchema?.response_format.json_schema.schema,
        candidateSchema: change.after.response_format?.json_schema.schema,
      });
      if (totals.values > 0) return;
    }
    throw new DomainError(
      'invalid',
      'nothing_comparable',
      'None of the candidate’s fields is in the verified results, so there is nothing to compare. Keep the fields to be measured, or verify results with the new schema first.',
    );
  }

  async function find(id: string): Promise<StoredEvaluation> {
    const found = await evaluations.get(id);
    if (found) return found;
    throw new DomainError('not_found', 'evaluation_not_found', 'There is no such evaluation.');
  }

  const present = async (stored: StoredEvaluation) => presentEvaluation(stored, await evaluations.documents(stored.id));

  return {
    async estimate(body: CreateEvaluationBody): Promise<EvaluationEstimate> {
      const { documents } = await plan(body);
      return { documents: documents.length, spu_estimated: spuOf(documents) };
    },
    /**
     * Throws `nothing_verified`, `nothing_comparable`, `unknown_reference`, `invalid_schema`, `model_not_enabled` or
     * `budget_exhausted`.
     */
    async create(
      body: CreateEvaluationBody,
      { spu_limit, call, id, beforeInsert }: EvaluationLimits = {},
    ): Promise<Evaluation> {
      requireWriter(actor);
      if ((await evaluations.countActive()) >= maxActive) {
        throw new DomainError(
          'rate_limited',
          'too_many_evaluations',
          `${maxActive} evaluations of this organization are active. Wait until some have ended, or stop some.`,
        );
      }
      const planned = await plan(body);
      await requireComparable(planned);
      await dependencies.requireBudget(organizationId);
      const { change, candidate, truth, documents } = planned;
      await beforeInsert?.();
      const stored = await evaluations.insert({
        id,
        prompt_id: change.prompt.prompt_id,
        prompt_revid: change.prompt.prompt_revid,
        candidate,
        after: change.after,
        before: change.before,
        documents: withinLimit(documents, spu_limit),
        spu_estimated: spuOf(withinLimit(documents, spu_limit)),
        spu_limit: spu_limit ?? null,
        seal: sealOf(change, truth, call?.arguments),
        turn_id: call?.turn_id ?? null,
        call_id: call?.call_id ?? null,
        requested_by: actor.userId,
      });
      await dependencies.wake();
      return await present(stored);
    },
    /** Throws `evaluation_not_found`. */
    async get(id: string): Promise<Evaluation> {
      return await present(await find(id));
    },
    async list(query: {
      prompt_id?: string | undefined;
      skip: number;
      limit: number;
    }): Promise<{ evaluations: Evaluation[] } & Page> {
      const { evaluations: found, ...counted } = await evaluations.list(query);
      const { skip, limit } = query;
      return { evaluations: await presentEachLater(found, present), ...counted, skip, limit };
    },
    async differences(id: string, query: DifferenceListQuery): Promise<{ differences: EvaluationDifference[] } & Page> {
      await find(id);
      const documents = await evaluations.documents(id);
      const names = await dependencies.namesOf(
        organizationId,
        documents.map(({ document_id }) => document_id),
      );
      return await pageOfDifferences({
        documents: documents.filter(({ document_id }) => names.has(document_id)),
        names,
        read: (documentId) => evaluations.differences(id, documentId),
        query,
      });
    },
    /** Throws `evaluation_ended`. Results so far are kept. */
    async stop(id: string): Promise<Evaluation> {
      requireWriter(actor);
      const stored = await find(id);
      if (actor.role !== 'admin' && stored.requested_by !== actor.userId) {
        throw new DomainError(
          'forbidden',
          'not_yours',
          'Another user started this evaluation. Only they or an admin can stop it.',
        );
      }
      if (!(await evaluations.requestStop(id))) {
        throw new DomainError('conflict', 'evaluation_ended', 'The evaluation has ended.');
      }
      await dependencies.wake();
      return await present(await find(id));
    },
  };
}

interface Plan {
  change: CandidateChange;
  candidate: Evaluation['candidate'];
  /** All verified results of the prompt. `documents` are the ones to measure. */
  truth: TruthReference[];
  documents: (TruthReference & { spu_estimated: number; before?: unknown })[];
}

/** The estimated cost of runs on a document, from the cost of an earlier one. An example has at most 1,000 tokens, 1 SPU. */
const spuOfRuns = (spu: number, runs: readonly { examples: number }[]): number =>
  runs.reduce((sum, { examples }) => sum + spu + (examples * maxExampleTokens) / 1_000, 0);

const spuOf = (documents: Plan['documents']): number =>
  documents.reduce((sum, { spu_estimated }) => sum + spu_estimated, 0);

/** The documents that the limit can pay for, but at least one: the worker enforces the limit. */
function withinLimit(documents: Plan['documents'], limit: number | undefined): Plan['documents'] {
  if (limit === undefined) return documents;
  let remaining = limit;
  const affordable = documents.filter(({ spu_estimated }) => (remaining -= spu_estimated) >= 0);
  return affordable.length > 0 ? affordable : documents.slice(0, 1);
}

const unknownReference = (message: string): DomainError => new DomainError('invalid', 'unknown_reference', message);

const nothingVerified = (what: string): DomainError =>
  new DomainError(
    'invalid',
    'nothing_verified',
    `${what} Check the results of some documents and mark them as verified; changes are then measured against them.`,
  );
