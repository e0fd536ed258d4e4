import { DomainError, type Preview, type ProposedCall } from '@docwright/contract';
import type { LlmAssistantMessage, LlmToolCall, ModelAnswer, ModelToolCall } from '../llm/llm-client.ts';
import type { CallPermission } from '../permissions/permission.ts';
import type { SeenContent } from '../provenance/seen-content.ts';
import type { Baseline } from '../tool/baseline.ts';
import { newCallId } from '../tool/call-id.ts';
import { furtherToolsName, meantCall } from '../tool/further-tools.ts';
import { proposalRecords, type CallRecord } from './call-record.ts';
import { seenContentOnce, provenanceOf, emittedProvenance } from './call-provenance.ts';
import { guardedQuestion, provenanceFor } from './call-tool.ts';
import { findGrant, planOf, stepBaselines, withStepProvenance } from './plan-progress.ts';
import { prepareCall, type FitCall, type PreparedCall } from './prepare-call.ts';
import { baselineOf } from './stale-proposal.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';
import { validName } from '../tool/call-id.ts';

/** A call of a batch, as it is shown and as it can be run. */
export interface BatchCall<Services> {
  readonly proposed: ProposedCall;
  readonly prepared: PreparedCall<Services>;
  /** What a write saw at its proposal. */
  readonly baseline?: Baseline | undefined;
  /** Of a plan, by step id. */
  readonly stepBaselines?: Readonly<Record<string, Baseline>>;
}

/** Gives each call of an answer our id, checks it, decides on it, and writes the answer into the transcript. */
export async function proposeBatch<Services>(
  run: TurnRun<Services>,
  answer: ModelAnswer,
): Promise<BatchCall<Services>[]> {
  const batch: BatchCall<Services>[] = [];
  const sent: LlmToolCall[] = [];
  const records: CallRecord[] = [];
  const seen = seenContentOnce(run);
  const total = answer.toolCalls.length + (answer.omittedCalls ?? 0);
  for (const [at, call] of answer.toolCalls
    .slice(0, maxCalls + 1)
    .map(meantCall)
    .entries()) {
    const id = newCallId();
    const prepared = at < maxCalls ? preparedOf(run, call) : tooMany(total);
    const { permission, ...proposal } = await propose(run, id, call.name, prepared, seen);
    batch.push(proposal);
    // A call that was denied is recorded as it would have run; one that could never run, with the reason.
    const asked = permission === undefined ? proposal.prepared : prepared;
    records.push(...proposalRecords(proposal.proposed, asked, permission, run.services, run.progress.plan));
    const { truncated: _, ...kept } = call;
    sent.push({ ...kept, id, name: validName(call.name), arguments: proposal.proposed.arguments });
  }
  await run.recordCalls(records);
  addAnswer(run, answer, sent);
  return batch;
}

/** Calls of one answer that are run. */
const maxCalls = 50;

/** Stands in the place of the first call too many, for all that followed: the model is told how many are left. */
function tooMany(asked: number): { arguments: string; refusal: string } {
  const refusal = `The answer had ${asked} calls, and at most ${maxCalls} are taken. This one and all behind it (${asked - maxCalls}) were not run. Make them in the next answer.`;
  return { arguments: '{}', refusal };
}

/** Writes an answer into the transcript; one that says nothing is left out. */
export function addAnswer<Services>(
  { progress }: TurnRun<Services>,
  answer: Pick<ModelAnswer, 'content' | 'reasoning' | 'model'>,
  toolCalls: readonly LlmToolCall[],
): void {
  if (answer.content === '' && toolCalls.length === 0) return;
  const message: LlmAssistantMessage = {
    role: 'assistant',
    content: answer.content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(answer.reasoning.length === 0 ? {} : { reasoning: answer.reasoning }),
    model: answer.model ?? progress.start.settings.model,
  };
  progress.transcript.push(message);
}

function preparedOf<Services>(run: TurnRun<Services>, call: ModelToolCall): PreparedCall<Services> {
  if (call.truncated === true) {
    return {
      arguments: '{}',
      refusal: 'This call was cut off before its end and has not been run. Write it again, shorter.',
    };
  }
  if (call.name === furtherToolsName) {
    return {
      arguments: '{}',
      refusal: `${furtherToolsName} takes the name of a tool that it lists, and its arguments.`,
    };
  }
  return prepareCall(run.profile.tools, call.name, call.arguments);
}

/** A write that breaks a rule is refused like one whose arguments do not fit: nobody is asked about it. */
async function checked<Services>(
  run: TurnRun<Services>,
  id: string,
  prepared: PreparedCall<Services>,
): Promise<PreparedCall<Services>> {
  if (prepared.refusal !== undefined || prepared.tool.check === undefined) return prepared;
  try {
    await prepared.tool.check(contextMaker(run, id)(), prepared.args);
    return prepared;
  } catch (error) {
    if (error instanceof DomainError) return { arguments: prepared.arguments, refusal: error.message };
    throw error;
  }
}

/** What is denied at its proposal is refused like a call that cannot run: nobody is asked about it. */
async function propose<Services>(
  run: TurnRun<Services>,
  id: string,
  name: string,
  prepared: PreparedCall<Services>,
  seen: () => Promise<SeenContent>,
): Promise<BatchCall<Services> & { permission?: CallPermission }> {
  const effect = run.profile.tools.get(name)?.effect ?? 'read_only';
  const plain = { id, name, arguments: prepared.arguments, effect, summary: name, needs_approval: false };
  if (prepared.refusal !== undefined) return { prepared, proposed: plain };
  const { tool, args } = prepared;
  // Looked at before the preview is made, so that no change can fall between the two unseen.
  const context = contextMaker(run, id)();
  const baseline = await baselineOf(prepared, context);
  const known = await provenanceOf(run, prepared, seen);
  const call = { ...plain, summary: tool.summarize?.(args, run.services) ?? name, ...emittedProvenance(known) };
  const { origin, signal } = context;
  const question = { ...(await guardedQuestion(prepared, context)), ...provenanceFor(known), origin, signal };
  const permission = await run.decide({ ...question, isProposal: true });
  if (permission.effect === 'deny') {
    return { prepared: { arguments: prepared.arguments, refusal: permission.message }, proposed: call, permission };
  }
  const fit = await checked(run, id, prepared);
  if (fit.refusal !== undefined) return { prepared: fit, proposed: call };
  const grant = await findGrant(run, id, prepared, known, { baseline, isGuarded: question.needsRuleOn !== undefined });
  const covered = { ...call, ...planOf(run.progress.plan, id) };
  if (permission.effect === 'allow' || tool.awaitsAnswers === true || grant !== undefined) {
    return { prepared, proposed: covered, permission: grant ? { effect: 'allow' } : permission, baseline };
  }
  const seenSteps = await stepBaselines(run, id, prepared);
  const preview = await withStepProvenance(run, await previewOf(run, id, prepared), seen);
  const proposed = { ...call, needs_approval: true, ...(preview === undefined ? {} : { preview }) };
  return { prepared, proposed, permission, baseline, stepBaselines: seenSteps };
}

/** A preview that cannot be made is none: the call may still be decided, and says itself what is wrong when it runs. */
async function previewOf<Services>(
  run: TurnRun<Services>,
  id: string,
  prepared: FitCall<Services>,
): Promise<Preview | undefined> {
  try {
    return await prepared.tool.preview?.(contextMaker(run, id)(), prepared.args);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
