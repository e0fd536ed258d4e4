import { setTimeout as sleep } from 'node:timers/promises';
import type { CallMeasurement } from '@docwright/agent-core';
import {
  DomainError,
  type CallEvaluation,
  type CallEvaluationStarted,
  type EvaluateBeforeApproval,
  type Evaluation,
} from '@docwright/contract';
import type { VerifiedResultRepository } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import {
  createCallChanges,
  isTooWide,
  maxPrompts,
  changesSchema,
  type ChangedPrompt,
  type ChangingCall,
} from './call-changes.ts';
import { changeOf, sealOf, type ChangeDependencies } from './candidate.ts';
import type { EvaluationRepository, StoredEvaluation } from './records/evaluation-repository.ts';
import type { EvaluationService } from './evaluation-service.ts';

/** A call of an agent, with the arguments to run it with. */
export interface MeasurableCall extends ChangingCall {
  turn_id: string;
  call_id: string;
}

interface CallEvidenceDependencies {
  evaluationsOf: (organizationId: string) => EvaluationRepository;
  evaluations: (actor: Actor) => EvaluationService;
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'truth'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
  /** Prompts whose current revision is linked to the schema. */
  promptIdsOf: (organizationId: string, schemaId: string, limit: number) => Promise<string[]>;
  schemasFor: (actor: Actor) => ChangeDependencies['schemas'];
  models: (organizationId: string) => ChangeDependencies['models'];
  /** The organization's mode and budget of evaluations before approval. */
  settingsOf: (organizationId: string) => Promise<{ mode: EvaluateBeforeApproval; budgetSpu: number }>;
}

/** Evaluations of the calls of agents. */
export type CallEvaluations = ReturnType<typeof callEvidenceFor>;

const pollMs = 200;
/** How long a rule waits for an evaluation. After that the call needs approval, and the evaluation continues. */
const ruleTimeoutMs = 10 * 60_000;

export const createCallEvidence =
  (dependencies: CallEvidenceDependencies) =>
  (actor: Actor): CallEvaluations =>
    callEvidenceFor(actor, dependencies);

function callEvidenceFor(actor: Actor, dependencies: CallEvidenceDependencies) {
  const { organizationId } = actor;
  const evaluations = dependencies.evaluations(actor);
  const stored = dependencies.evaluationsOf(organizationId);
  const verified = dependencies.verifiedOf(organizationId);
  const prompts = dependencies.promptsFor(actor);
  const { promptIdsOf } = dependencies;
  const changeDependencies = { schemas: dependencies.schemasFor(actor), models: dependencies.models(organizationId) };
  const changesOf = createCallChanges({
    prompts,
    schemas: changeDependencies.schemas,
    promptIdsOf: (schemaId, limit) => promptIdsOf(organizationId, schemaId, limit),
  });

  async function currentSeal(
    { prompt, candidate }: ChangedPrompt,
    args: MeasurableCall['args'] | undefined,
  ): Promise<string> {
    const change = await changeOf(prompt, candidate, changeDependencies);
    return sealOf(change, await verified.truth(prompt.prompt_id), args);
  }

  /** The newest evaluation of the call for each of its prompts, by prompt id. */
  async function newestByPrompt(call: MeasurableCall): Promise<Map<string, StoredEvaluation>> {
    const found = new Map<string, StoredEvaluation>();
    for (const evaluation of await stored.ofCalls([call.call_id])) {
      if (!found.has(evaluation.prompt_id)) found.set(evaluation.prompt_id, evaluation);
    }
    return found;
  }

  async function isValid(change: ChangedPrompt, evaluation: StoredEvaluation, call: MeasurableCall): Promise<boolean> {
    const args = evaluation.call_id === null ? undefined : call.args;
    return (await currentSeal(change, args)) === evaluation.seal;
  }

  async function of(call: MeasurableCall): Promise<CallEvaluation | undefined> {
    const { mode } = await dependencies.settingsOf(organizationId);
    const changes = await changesOf(call);
    if (changes.length === 0) return undefined;
    const byPrompt = await newestByPrompt(call);
    if (mode === 'off' && byPrompt.size === 0) return undefined;
    const estimates = await Promise.all(changes.map(estimate));
    const evaluated = await Promise.all(
      changes.flatMap((change) => {
        const found = byPrompt.get(change.prompt.prompt_id);
        return found ? [present(change, found, call)] : [];
      }),
    );
    const [first] = evaluated;
    return {
      verified_documents: sum(estimates, ({ verified_documents }) => verified_documents),
      spu_estimated: sum(estimates, ({ spu_estimated }) => spu_estimated),
      ...(first && { evaluation: first.evaluation }),
      ...(first &&
        changesSchema(call.tool) && {
          evaluations: evaluated.map(({ prompt_id, evaluation }) => ({ prompt_id, evaluation })),
        }),
      ...(evaluated.some(({ isStale }) => isStale) && { stale: true as const }),
    };
  }

  async function present(change: ChangedPrompt, { id }: StoredEvaluation, call: MeasurableCall) {
    const found = await stored.get(id);
    const evaluation = await evaluations.get(id);
    const isStale = found === undefined || !(await isValid(change, found, call));
    return { prompt_id: change.prompt.prompt_id, evaluation, isStale };
  }

  async function estimate({ prompt, candidate }: ChangedPrompt) {
    const truth = await verified.truth(prompt.prompt_id);
    if (truth.length === 0) return { verified_documents: 0, spu_estimated: 0 };
    const body = { ...candidate, prompt_id: prompt.prompt_id, baseline: 'auto' as const };
    const { spu_estimated } = await evaluations.estimate(body);
    return { verified_documents: truth.length, spu_estimated };
  }

  /** Starts an evaluation for each changed prompt. Prompts without verified results are left out. */
  async function startAll(
    call: MeasurableCall,
    { max_documents, spu_limit }: { max_documents?: number | undefined; spu_limit?: number | undefined },
  ): Promise<{ prompt_id: string; evaluation: Evaluation }[]> {
    const started: { prompt_id: string; evaluation: Evaluation }[] = [];
    let failure: DomainError | undefined;
    const changes = await changesOf(call);
    if (isTooWide(changes)) throw tooManyPrompts();
    for (const { prompt, candidate } of changes) {
      const { prompt_id } = prompt;
      const body = { ...candidate, prompt_id, baseline: 'auto' as const, ...(max_documents && { max_documents }) };
      const about = { turn_id: call.turn_id, call_id: call.call_id, arguments: call.args };
      try {
        const remaining =
          spu_limit === undefined ? undefined : spu_limit - sum(started, ({ evaluation }) => evaluation.spu_estimated);
        started.push({ prompt_id, evaluation: await evaluations.create(body, { spu_limit: remaining, call: about }) });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        failure ??= error;
      }
    }
    if (started.length > 0) return started;
    throw failure ?? notMeasurable();
  }

  /** Waits for the end of evaluations. Undefined after the timeout. */
  async function waitForEnd(ids: string[], signal: AbortSignal | undefined): Promise<Evaluation[] | undefined> {
    const deadline = performance.now() + ruleTimeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      const found = await Promise.all(ids.map((id) => stored.get(id)));
      if (found.every((evaluation) => evaluation?.ended_at))
        return await Promise.all(ids.map((id) => evaluations.get(id)));
      if (performance.now() > deadline) return undefined;
      await sleep(pollMs);
    }
  }

  return {
    /** For the card of a call. Undefined if nothing can be measured or the organization wants no evaluations. */
    of,
    /** Like `of`, for a call that becomes pending. Starts an evaluation if the organization's mode is `auto`. */
    async ofProposal(call: MeasurableCall): Promise<CallEvaluation | undefined> {
      const { mode, budgetSpu } = await dependencies.settingsOf(organizationId);
      if (mode === 'auto' && (await newestByPrompt(call)).size === 0) {
        await startAll(call, { spu_limit: budgetSpu }).catch((error: unknown) => {
          // For example, without verified results nothing can be measured. The card shows that.
          if (!(error instanceof DomainError)) throw error;
        });
      }
      return await of(call);
    },
    /** Starts an evaluation. Throws `not_measurable`, or the errors of creating an evaluation. */
    async start(
      call: MeasurableCall,
      { max_documents }: { max_documents?: number | undefined },
    ): Promise<CallEvaluationStarted> {
      const started = await startAll(call, { max_documents });
      const [first] = started;
      if (!first) throw notMeasurable();
      return { ...first.evaluation, ...(changesSchema(call.tool) && { evaluations: started }) };
    },
    /**
     * The evidence for permission rules: one entry for each prompt that the call changes. With `measure`, evaluates now on
     * so many documents. Otherwise uses only valid evaluations from before. Undefined if there is no complete evidence.
     */
    async forRules(
      call: MeasurableCall,
      measure: { documents: number; signal: AbortSignal | undefined } | undefined,
    ): Promise<CallMeasurement[] | undefined> {
      const changes = await changesOf(call);
      if (changes.length === 0 || isTooWide(changes)) return undefined;
      let byPrompt = await newestByPrompt(call);
      if (byPrompt.size === 0 && measure) {
        const { budgetSpu } = await dependencies.settingsOf(organizationId);
        const options = { max_documents: measure.documents, spu_limit: budgetSpu };
        const started = await startAll(call, options).catch((error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
          return [];
        });
        const ended = await waitForEnd(
          started.map(({ evaluation }) => evaluation.id),
          measure.signal,
        );
        if (!ended || ended.length < changes.length) return undefined;
        byPrompt = await newestByPrompt(call);
      }
      const evidence: CallMeasurement[] = [];
      for (const change of changes) {
        const found = byPrompt.get(change.prompt.prompt_id);
        if (found?.state !== 'completed' || !(await isValid(change, found, call))) return undefined;
        evidence.push(evidenceOf(await evaluations.get(found.id)));
      }
      return evidence;
    },
    /** The reason why an evaluation is no longer valid for the call. Undefined if it is valid. */
    async staleness(evaluationId: string, call: MeasurableCall): Promise<string | undefined> {
      const found = await stored.get(evaluationId);
      if (!found) return 'There is no such evaluation in this organization.';
      if (found.state !== 'completed') return `The evaluation has not completed: it is ${found.state}.`;
      if (found.call_id !== null && found.call_id !== call.call_id) return 'The evaluation is of another call.';
      const changes = await changesOf(call);
      if (changes.some(({ prompt }) => prompt.prompt_id === found.prompt_id)) {
        // The user has seen the evaluations of all prompts of a schema, so all of them must be valid.
        const shown = new Map([...(await newestByPrompt(call)), [found.prompt_id, found]]);
        const validities = await Promise.all(
          changes.map(async (change) => {
            const evaluation = shown.get(change.prompt.prompt_id);
            return evaluation === undefined || (await isValid(change, evaluation, call));
          }),
        );
        if (validities.every(Boolean)) return undefined;
      }
      return 'The call, the prompt, its schema, the model or the verified results have changed since the evaluation.';
    },
  };
}

function evidenceOf({ documents, totals }: Evaluation): CallMeasurement {
  const { broken, accuracy_before, accuracy_after } = totals;
  return { documents: documents.done, broken, accuracyGain: (accuracy_after ?? 0) - (accuracy_before ?? 0) };
}

const sum = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((total, item) => total + valueOf(item), 0);

const tooManyPrompts = (): DomainError =>
  new DomainError(
    'invalid',
    'not_measurable',
    `More than ${maxPrompts} prompts are linked to this schema, so a measurement would not cover all of them. Measure single prompts with POST …/evaluations.`,
  );

const notMeasurable = (): DomainError =>
  new DomainError(
    'invalid',
    'not_measurable',
    'This call changes neither the text, nor the schema, nor the model of a prompt, so there is nothing to measure.',
  );
