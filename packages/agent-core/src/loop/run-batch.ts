import type { ProposedCall, TurnEvent } from '@docwright/contract';
import type { PendingBatch, PendingTurn } from '../turns/pending-turn.ts';
import type { CallProvenance } from '../provenance/label-arguments.ts';
import { verdictOn, waits, type Decisions, type Verdict } from './approval.ts';
import { decisionRecord, executionRecord, type CallRecord } from './call-record.ts';
import { editedProvenance, storedProvenance, emittedProvenance } from './call-provenance.ts';
import { callTool, type CallOutcome, type FindStale } from './call-tool.ts';
import { planParameters } from '../plans/plan-steps.ts';
import { decidePlan, isGranted, movePlan, planOf, settleStep, startingStep } from './plan-progress.ts';
import { prepareCall, type PreparedCall } from './prepare-call.ts';
import type { BatchCall } from './propose-batch.ts';
import { moveBaselines, staleEvidence, staleness, type Baselines } from './stale-proposal.ts';
import { describeFailure } from './turn-result.ts';
import { contextMaker, emitAfterCheckpoint, type TurnRun } from './turn-run.ts';

/**
 * Runs the calls of a batch in the model's order, one at a time (those that may run side by side are begun together), from the first that has not run yet. Undecided, it
 * stops in front of the first call that needs a person: what stands before it has run, it and all that follows wait,
 * since a later call may build on it; where calls are independent, those that wait are put behind the others first.
 * Decided, it runs to the end. Gives the waiting turn, or undefined when done.
 */
export async function* runBatch<Services>(
  run: TurnRun<Services>,
  proposals: readonly BatchCall<Services>[],
  decisions: Decisions | undefined,
): AsyncGenerator<TurnEvent[], PendingTurn | undefined> {
  const { progress } = run;
  const waiting = ({ proposed, prepared }: BatchCall<Services>) =>
    waits(proposed, prepared.tool?.awaitsAnswers === true);
  const batch =
    run.profile.callsAreIndependent === true && decisions === undefined
      ? [...proposals.filter((call) => !waiting(call)), ...proposals.filter(waiting)]
      : proposals;
  const baselines = baselinesOf(batch);
  const mayWait =
    decisions !== undefined || batch.some(waiting) || batch.some(({ proposed }) => isGranted(run, proposed.id));
  const left = batch.slice(progress.executed.length);
  // What only reads may as well be asked for and read again.
  const isKept = decisions !== undefined || batch.some(({ proposed }) => mayWrite(proposed));
  const begun: BegunCalls = new Map();
  if (decisions !== undefined) await run.recordCalls(decisionRecords(run, left, decisions));
  for (const [at, call] of left.entries()) {
    if (decisions === undefined && waiting(call)) {
      const needsApproval = batch.some(({ proposed }) => proposed.needs_approval);
      const saved = openBatch(batch, baselines, false);
      return progress.pending(needsApproval ? 'awaiting_approval' : 'awaiting_answers', saved);
    }
    run.signal.throwIfAborted();
    const starting = startingStep(run, call.proposed.id);
    if (starting.length > 0) yield starting.map((event) => progress.emit(event));
    if (decisions === undefined) startTogether(run, left.slice(at), begun);
    const result = await runCall(run, call, decisions, baselines, begun.get(call.proposed.id));
    const hasRun = progress.executed.at(-1)?.success === true;
    if (hasRun && mayWait) {
      await moveBaselines(baselines, baselines.get(call.proposed.id), following(run, left.slice(at + 1)));
    }
    if (hasRun && mayWrite(call.proposed)) await movePlan(run, baselines.get(call.proposed.id));
    const settled = [
      ...settleStep(run, call.proposed.id, hasRun),
      ...decidedSteps(run, call, decisions, baselines, hasRun),
    ];
    if (settled.length > 0) yield settled.map((event) => progress.emit(event));
    if (isKept) yield* emitAfterCheckpoint(run, result, openBatch(batch, baselines, decisions === undefined));
    else yield [progress.emit(result)];
  }
  const round_index = progress.executedRounds.length;
  progress.closeRound();
  yield* emitAfterCheckpoint(run, { type: 'round_executed', round_index });
  return undefined;
}

export function mayWrite({ effect }: Pick<ProposedCall, 'effect'>): boolean {
  return effect === 'read_write';
}

/** A batch as it is stored, with what its calls see by now. */
export function openBatch<Services>(
  batch: readonly BatchCall<Services>[],
  baselines: Baselines,
  isUndecided: boolean,
): Omit<PendingBatch, 'executed'> {
  return {
    calls: batch.map(({ proposed }) => proposed),
    refusals: refusalsOf(batch),
    baselines: Object.fromEntries(baselines),
    ...(isUndecided && { isUndecided }),
  };
}

export function baselinesOf<Services>(batch: readonly BatchCall<Services>[]): Baselines {
  return new Map(
    batch.flatMap(({ proposed: { id }, baseline, stepBaselines = {} }) => [
      ...(baseline ? [[id, baseline] as const] : []),
      ...Object.entries(stepBaselines).map(([stepId, seen]) => [`${id}/${stepId}`, seen] as const),
    ]),
  );
}

/** Of a call that proposed a plan and was decided on: what it grants from now on. */
function decidedSteps<Services>(
  run: TurnRun<Services>,
  { proposed, prepared }: BatchCall<Services>,
  decisions: Decisions | undefined,
  baselines: Baselines,
  hasRun: boolean,
): TurnEvent[] {
  if (prepared.tool?.proposesPlan !== true || decisions === undefined || !proposed.needs_approval) return [];
  const verdict = verdictOn(proposed, false, decisions);
  const text = verdict?.approved === true ? (verdict.arguments ?? proposed.arguments) : undefined;
  const plan = hasRun && text !== undefined ? planParameters.parse(JSON.parse(text)) : undefined;
  return decidePlan(run, proposed, plan, baselines);
}

function refusalsOf<Services>(batch: readonly BatchCall<Services>[]): PendingBatch['refusals'] {
  return Object.fromEntries(
    batch.flatMap(({ proposed, prepared }) =>
      prepared.refusal === undefined ? [] : [[proposed.id, prepared.refusal]],
    ),
  );
}

function following<Services>(run: TurnRun<Services>, calls: readonly BatchCall<Services>[]) {
  return calls.flatMap(({ proposed: { id }, prepared }) =>
    prepared.refusal === undefined ? [{ id, call: prepared, context: contextMaker(run, id)() }] : [],
  );
}

async function runCall<Services>(
  run: TurnRun<Services>,
  { proposed, prepared }: BatchCall<Services>,
  decisions: Decisions | undefined,
  baselines: Baselines,
  begun: Promise<CallOutcome> | undefined,
): Promise<TurnEvent> {
  const { id, name } = proposed;
  const verdict =
    decisions === undefined ? undefined : verdictOn(proposed, prepared.tool?.awaitsAnswers === true, decisions);
  const edited = verdict?.approved === true ? verdict.arguments : undefined;
  const call = edited === undefined ? prepared : prepareCall(run.profile.tools, name, edited);
  // A granted call rests on what the card of its plan showed, whenever it runs.
  const baseline = decisions === undefined && !isGranted(run, id) ? undefined : baselines.get(id);
  const evaluationId = decisions?.approvals.find(({ call_id }) => call_id === id)?.evaluation_id;
  const findStale: FindStale<Services> = async (fit, context) =>
    (baseline && (await staleness(fit, context, { baseline, isEdited: edited !== undefined }, run.wasApplied))) ??
    (evaluationId === undefined ? undefined : await staleEvidence(run, evaluationId, fit, context));
  if (edited !== undefined) replaceArguments(run, id, call.arguments);
  const known =
    edited === undefined || prepared.refusal !== undefined || call.refusal !== undefined
      ? storedProvenance(proposed)
      : editedProvenance(storedProvenance(proposed), prepared.args, call.args);
  const {
    content,
    permission: _,
    ...outcome
  } = await (begun ?? recordedCall(run, { id, name, call, verdict, findStale, known }));
  run.progress.transcript.push({ role: 'tool', callId: id, content });
  run.progress.executed.push({
    id,
    name,
    arguments: call.arguments,
    ...emittedProvenance(known),
    ...planOf(run.progress.plan, id),
    ...outcome,
  });
  return { type: 'tool_result', round_index: run.progress.executedRounds.length, call_id: id, name, ...outcome };
}

type BegunCalls = Map<string, Promise<CallOutcome>>;

/** Begins the first of these calls and those right behind it, where all of them may run side by side. */
function startTogether<Services>(
  run: TurnRun<Services>,
  calls: readonly BatchCall<Services>[],
  begun: BegunCalls,
): void {
  for (const { proposed, prepared } of calls) {
    if (prepared.tool?.runsSideBySide !== true || proposed.needs_approval || begun.has(proposed.id)) return;
    const { id, name } = proposed;
    const call = { id, name, call: prepared, verdict: undefined, findStale: async () => undefined, known: undefined };
    const running = recordedCall(run, call);
    // Told when its turn comes; the turn may have ended by then.
    running.catch(() => undefined);
    begun.set(id, running);
  }
}

interface CallToRun<Services> {
  id: string;
  name: string;
  call: PreparedCall<Services>;
  verdict: Verdict | undefined;
  findStale: FindStale<Services>;
  known: CallProvenance | undefined;
}

/** Runs a call and records what came of it; one that was refused before anybody could run it is not recorded again. */
async function recordedCall<Services>(
  run: TurnRun<Services>,
  { id, name, call, verdict, findStale, known }: CallToRun<Services>,
): Promise<CallOutcome> {
  const record = (outcome: Parameters<typeof executionRecord>[2]) =>
    run.recordCalls([
      executionRecord({ id, name, ...emittedProvenance(known) }, call, outcome, run.services, run.progress.plan),
    ]);
  let outcome: CallOutcome;
  try {
    outcome = await callTool(call, verdict, run.decide, contextMaker(run, id), findStale, {
      known,
      isGranted: isGranted(run, id),
    });
  } catch (error) {
    await record({ success: false, error: describeFailure(error).message });
    throw error;
  }
  if (call.refusal === undefined && verdict?.approved !== false) await record(outcome);
  return outcome;
}

/** What the person said about the calls that waited, with the arguments that they gave them. */
function decisionRecords<Services>(
  run: TurnRun<Services>,
  calls: readonly BatchCall<Services>[],
  decisions: Decisions,
): CallRecord[] {
  return calls.flatMap(({ proposed, prepared }) => {
    if (prepared.refusal !== undefined) return [];
    const verdict = verdictOn(proposed, prepared.tool.awaitsAnswers === true, decisions);
    if (verdict === undefined) return [];
    const edited = verdict.approved ? verdict.arguments : undefined;
    const decided = edited === undefined ? prepared : prepareCall(run.profile.tools, proposed.name, edited);
    return [decisionRecord(proposed, decided, verdict, run.services)];
  });
}

/** The model shall read what was run, not what it had proposed. */
function replaceArguments<Services>({ progress }: TurnRun<Services>, callId: string, text: string): void {
  const at = progress.transcript.findLastIndex((message) => message.role === 'assistant');
  const message = progress.transcript[at];
  if (message?.role !== 'assistant' || message.toolCalls === undefined) return;
  const toolCalls = message.toolCalls.map((call) => (call.id === callId ? { ...call, arguments: text } : call));
  progress.transcript[at] = { ...message, toolCalls };
}
