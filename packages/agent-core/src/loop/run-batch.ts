import type { ProposedCall, TurnEvent } from '@docwright/contract';
import type { PendingBatch, PendingTurn } from '../turns/pending-turn.ts';
import type { CallProvenance } from '../provenance/label-arguments.ts';
import { verdictOn, needsUser, type Decisions, type Verdict } from './approval.ts';
import { decisionRecord, executionRecord, type CallRecord } from './call-record.ts';
import { editedProvenance, storedProvenance, emittedProvenance } from './call-provenance.ts';
import { callTool, type CallOutcome, type FindStale } from './call-tool.ts';
import { planParameters } from '../plans/plan-steps.ts';
import { decidePlan, isGranted, refreshPlanBaselines, planOf, settleStep, stepStartEvents } from './plan-progress.ts';
import { prepareCall, type PreparedCall } from './prepare-call.ts';
import type { BatchCall } from './propose-batch.ts';
import { refreshBaselines, staleEvidenceReason, staleReason, type Baselines } from './stale-proposal.ts';
import { describeFailure } from './turn-result.ts';
import { contextMaker, emitAfterCheckpoint, type TurnRun } from './turn-run.ts';

/**
 * Runs the calls of a batch in the model's order, starting at the first call that has not run. Calls run one at a time;
 * consecutive calls of tools with `runsSideBySide` start together.
 *
 * An undecided batch stops before the first call that needs the user, because later calls can depend on it. If calls are
 * independent, the calls that need the user move to the end first. A decided batch runs to its end. Returns the pending
 * turn, or undefined when all calls have run.
 */
export async function* runBatch<Services>(
  run: TurnRun<Services>,
  proposals: readonly BatchCall<Services>[],
  decisions: Decisions | undefined,
): AsyncGenerator<TurnEvent[], PendingTurn | undefined> {
  const { progress } = run;
  const isWaiting = ({ proposed, prepared }: BatchCall<Services>) =>
    needsUser(proposed, prepared.tool?.awaitsAnswers === true);
  const batch =
    run.profile.callsAreIndependent === true && decisions === undefined
      ? [...proposals.filter((call) => !isWaiting(call)), ...proposals.filter(isWaiting)]
      : proposals;
  const baselines = baselinesOf(batch);
  const needsBaselines =
    decisions !== undefined || batch.some(isWaiting) || batch.some(({ proposed }) => isGranted(run, proposed.id));
  const remaining = batch.slice(progress.executed.length);
  // A round that only reads needs no checkpoints: it can run again.
  const needsCheckpoints = decisions !== undefined || batch.some(({ proposed }) => isWrite(proposed));
  const started: StartedCalls = new Map();
  if (decisions !== undefined) await run.recordCalls(decisionRecords(run, remaining, decisions));
  for (const [at, call] of remaining.entries()) {
    if (decisions === undefined && isWaiting(call)) {
      const needsApproval = batch.some(({ proposed }) => proposed.needs_approval);
      const saved = openBatch(batch, baselines, false);
      return progress.pending(needsApproval ? 'awaiting_approval' : 'awaiting_answers', saved);
    }
    run.signal.throwIfAborted();
    const startEvents = stepStartEvents(run, call.proposed.id);
    if (startEvents.length > 0) yield startEvents.map((event) => progress.emit(event));
    if (decisions === undefined) startTogether(run, remaining.slice(at), started);
    const result = await runCall(run, call, decisions, baselines, started.get(call.proposed.id));
    const hasRun = progress.executed.at(-1)?.success === true;
    if (hasRun && needsBaselines) {
      await refreshBaselines(baselines, baselines.get(call.proposed.id), laterCalls(run, remaining.slice(at + 1)));
    }
    if (hasRun && isWrite(call.proposed)) await refreshPlanBaselines(run, baselines.get(call.proposed.id));
    const stepEvents = [
      ...settleStep(run, call.proposed.id, hasRun),
      ...decidedSteps(run, call, decisions, baselines, hasRun),
    ];
    if (stepEvents.length > 0) yield stepEvents.map((event) => progress.emit(event));
    if (needsCheckpoints) yield* emitAfterCheckpoint(run, result, openBatch(batch, baselines, decisions === undefined));
    else yield [progress.emit(result)];
  }
  const round_index = progress.executedRounds.length;
  progress.closeRound();
  yield* emitAfterCheckpoint(run, { type: 'round_executed', round_index });
  return undefined;
}

export function isWrite({ effect }: Pick<ProposedCall, 'effect'>): boolean {
  return effect === 'read_write';
}

/** A batch in its stored form, with the current baselines. */
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

/** Applies the decision on a proposed plan and returns its step events. */
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

function laterCalls<Services>(run: TurnRun<Services>, calls: readonly BatchCall<Services>[]) {
  return calls.flatMap(({ proposed: { id }, prepared }) =>
    prepared.refusal === undefined ? [{ id, call: prepared, context: contextMaker(run, id)() }] : [],
  );
}

async function runCall<Services>(
  run: TurnRun<Services>,
  { proposed, prepared }: BatchCall<Services>,
  decisions: Decisions | undefined,
  baselines: Baselines,
  started: Promise<CallOutcome> | undefined,
): Promise<TurnEvent> {
  const { id, name } = proposed;
  const verdict =
    decisions === undefined ? undefined : verdictOn(proposed, prepared.tool?.awaitsAnswers === true, decisions);
  const edited = verdict?.approved === true ? verdict.arguments : undefined;
  const call = edited === undefined ? prepared : prepareCall(run.profile.tools, name, edited);
  // A granted call is compared with the state that the plan's card showed.
  const baseline = decisions === undefined && !isGranted(run, id) ? undefined : baselines.get(id);
  const evaluationId = decisions?.approvals.find(({ call_id }) => call_id === id)?.evaluation_id;
  const findStale: FindStale<Services> = async (valid, context) =>
    (baseline && (await staleReason(valid, context, { baseline, isEdited: edited !== undefined }, run.wasApplied))) ??
    (evaluationId === undefined ? undefined : await staleEvidenceReason(run, evaluationId, valid, context));
  if (edited !== undefined) replaceArguments(run, id, call.arguments);
  const provenance =
    edited === undefined || prepared.refusal !== undefined || call.refusal !== undefined
      ? storedProvenance(proposed)
      : editedProvenance(storedProvenance(proposed), prepared.args, call.args);
  const {
    content,
    permission: _,
    ...outcome
  } = await (started ?? callAndRecord(run, { id, name, call, verdict, findStale, provenance }));
  run.progress.transcript.push({ role: 'tool', callId: id, content });
  run.progress.executed.push({
    id,
    name,
    arguments: call.arguments,
    ...(proposed.repaired === true && edited === undefined && { repaired: proposed.repaired }),
    ...emittedProvenance(provenance),
    ...planOf(run.progress.plan, id),
    ...outcome,
  });
  return { type: 'tool_result', round_index: run.progress.executedRounds.length, call_id: id, name, ...outcome };
}

type StartedCalls = Map<string, Promise<CallOutcome>>;

/** Starts the first call and the calls right behind it, as long as their tools allow running side by side. */
function startTogether<Services>(
  run: TurnRun<Services>,
  calls: readonly BatchCall<Services>[],
  started: StartedCalls,
): void {
  for (const { proposed, prepared } of calls) {
    if (prepared.tool?.runsSideBySide !== true || proposed.needs_approval || started.has(proposed.id)) return;
    const { id, name } = proposed;
    const findStale = async () => undefined;
    const call = { id, name, call: prepared, verdict: undefined, findStale, provenance: undefined };
    const running = callAndRecord(run, call);
    // `runCall` handles the rejection, unless the turn ends before that.
    running.catch(() => undefined);
    started.set(id, running);
  }
}

interface CallToRun<Services> {
  id: string;
  name: string;
  call: PreparedCall<Services>;
  verdict: Verdict | undefined;
  findStale: FindStale<Services>;
  provenance: CallProvenance | undefined;
}

/** Runs a call and records its outcome. Refused and rejected calls are not recorded: their proposal or decision is. */
async function callAndRecord<Services>(
  run: TurnRun<Services>,
  { id, name, call, verdict, findStale, provenance }: CallToRun<Services>,
): Promise<CallOutcome> {
  const record = (outcome: Parameters<typeof executionRecord>[2]) =>
    run.recordCalls([
      executionRecord({ id, name, ...emittedProvenance(provenance) }, call, outcome, run.services, run.progress.plan),
    ]);
  let outcome: CallOutcome;
  try {
    outcome = await callTool(call, verdict, run.decide, contextMaker(run, id), findStale, {
      provenance,
      isGranted: isGranted(run, id),
    });
  } catch (error) {
    await record({ success: false, error: describeFailure(error).message });
    throw error;
  }
  if (call.refusal === undefined && verdict?.approved !== false) await record(outcome);
  return outcome;
}

/** The records of the user's decisions, with the edited arguments. */
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

/** Replaces a call's arguments in the transcript, so that the model reads the arguments that ran. */
function replaceArguments<Services>({ progress }: TurnRun<Services>, callId: string, text: string): void {
  const at = progress.transcript.findLastIndex((message) => message.role === 'assistant');
  const message = progress.transcript[at];
  if (message?.role !== 'assistant' || message.toolCalls === undefined) return;
  const toolCalls = message.toolCalls.map((call) => (call.id === callId ? { ...call, arguments: text } : call));
  progress.transcript[at] = { ...message, toolCalls };
}
