import { DomainError, type ProposedCall } from '@docwright/contract';
import type { LlmAssistantMessage, LlmToolCall, ModelAnswer } from '../llm/llm-client.ts';
import type { CallPermission } from '../permissions/permission.ts';
import type { SeenContent } from '../provenance/seen-content.ts';
import type { Baseline } from '../tool/baseline.ts';
import { newCallId, validName } from '../tool/call-id.ts';
import { emittedEffect } from '../tool/tool.ts';
import { undefinedOnDomainError } from '../tool/undefined-on-domain-error.ts';
import { calledSteps, type CalledStep } from '../plans/called-steps.ts';
import { furtherToolsName, unwrapCall } from '../tool/further-tools.ts';
import { proposalRecords, type CallRecord } from './call-record.ts';
import { lazySeenContent, provenanceOf, emittedProvenance } from './call-provenance.ts';
import { guardedPermissionRequest, provenanceFor } from './call-tool.ts';
import { findGrant, planOf, stepBaselines, withStepProvenance } from './plan-progress.ts';
import { prepareCall, type PreparedCall } from './prepare-call.ts';
import { baselineOf } from './stale-proposal.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';

/** A call of a batch: the proposal for the user and the prepared call. */
export interface BatchCall<Services> {
  readonly proposed: ProposedCall;
  readonly prepared: PreparedCall<Services>;
  /** The state of a write's targets at its proposal. */
  readonly baseline?: Baseline | undefined;
  /** Baselines of a proposed plan's steps, by step id. */
  readonly stepBaselines?: Readonly<Record<string, Baseline>>;
}

/** Assigns an id to each call of an answer, checks it, decides on it, and appends the answer to the transcript. */
export async function proposeBatch<Services>(
  run: TurnRun<Services>,
  answer: ModelAnswer,
): Promise<BatchCall<Services>[]> {
  const batch: BatchCall<Services>[] = [];
  const sent: LlmToolCall[] = [];
  const records: CallRecord[] = [];
  const seen = lazySeenContent(run);
  const calls = answer.toolCalls.map(unwrapCall).flatMap((call) => stepsOf(run, call));
  const total = calls.length + (answer.omittedCalls ?? 0);
  for (const [at, call] of calls.slice(0, maxCalls + 1).entries()) {
    const id = newCallId();
    const prepared = at < maxCalls ? prepare(run, call) : refuseTooManyCalls(total);
    const { permission, ...proposal } = await proposeCall(run, id, call.name, prepared, seen);
    batch.push(proposal);
    // A denied call is recorded as it would have run; a call that can never run is recorded with the reason.
    const recorded = permission === undefined ? proposal.prepared : prepared;
    records.push(...proposalRecords(proposal.proposed, recorded, permission, run.services, run.progress.plan));
    const { written = proposal.proposed.arguments, providerId, extraContent } = call;
    const ofProvider = {
      ...(providerId !== undefined && { providerId }),
      ...(extraContent !== undefined && { extraContent }),
    };
    sent.push({ ...ofProvider, id, name: validName(call.name), arguments: written });
  }
  await run.recordCalls(records);
  addAnswer(run, answer, sent);
  return batch;
}

/** Maximum number of calls in one answer. */
const maxCalls = 50;

/** The refusal of the first call beyond the limit. It covers all omitted calls and gives the model their number. */
function refuseTooManyCalls(total: number): { arguments: string; refusal: string } {
  const refusal = `The answer had ${total} calls, and at most ${maxCalls} are taken. This one and all behind it (${total - maxCalls}) were not run. Make them in the next answer.`;
  return { arguments: '{}', refusal };
}

/** Appends an answer to the transcript, unless it is empty. */
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

/** The call with the arguments of the plan's steps that it names. */
function stepsOf<Services>({ progress, profile }: TurnRun<Services>, call: CalledStep): readonly CalledStep[] {
  return calledSteps(progress.plan, profile.tools, call, (id) => progress.resultOf(id));
}

function prepare<Services>(run: TurnRun<Services>, call: CalledStep): PreparedCall<Services> {
  if (call.refusal !== undefined) return { arguments: call.arguments, refusal: call.refusal };
  if (call.unreadable === true) {
    const excerpt = call.arguments.length > 200 ? `${call.arguments.slice(0, 200)}…` : call.arguments;
    return {
      arguments: '{}',
      refusal: `This is no call that can be read, and has not been run: ${excerpt}. Make it again.`,
    };
  }
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
  const prepared = prepareCall(run.profile.tools, call.name, call.arguments);
  return call.repaired === true && prepared.refusal === undefined ? { ...prepared, repaired: call.repaired } : prepared;
}

/** Refuses a call that breaks a rule of its tool, so that no user is asked about it. */
async function checkCall<Services>(
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

/** Decides on a call. A denied call is refused like an invalid one: no user is asked about it. */
async function proposeCall<Services>(
  run: TurnRun<Services>,
  id: string,
  name: string,
  prepared: PreparedCall<Services>,
  seen: () => Promise<SeenContent>,
): Promise<BatchCall<Services> & { permission?: CallPermission }> {
  const effect = emittedEffect(run.profile.tools.get(name)?.effect ?? 'read');
  const plain = { id, name, arguments: prepared.arguments, effect, summary: name, needs_approval: false };
  if (prepared.refusal !== undefined) return { prepared, proposed: plain };
  const { tool, args } = prepared;
  // Read the baseline before the preview: a change between the two then makes the proposal stale.
  const context = contextMaker(run, id)();
  const baseline = await baselineOf(prepared, context);
  const provenance = await provenanceOf(run, prepared, seen);
  const call = {
    ...plain,
    summary: tool.summarize?.(args, run.services) ?? name,
    ...(prepared.repaired === true && { repaired: prepared.repaired }),
    ...emittedProvenance(provenance),
  };
  const { origin, signal } = context;
  const guarded = await guardedPermissionRequest(prepared, context);
  const request = { ...guarded, ...provenanceFor(provenance), origin, signal };
  const permission = await run.decide({ ...request, isProposal: true });
  if (permission.effect === 'deny') {
    return { prepared: { arguments: prepared.arguments, refusal: permission.message }, proposed: call, permission };
  }
  const checked = await checkCall(run, id, prepared);
  if (checked.refusal !== undefined) return { prepared: checked, proposed: call };
  const isGuarded = guarded.needsRuleOn !== undefined;
  const grant = await findGrant(run, id, prepared, provenance, { baseline, isGuarded });
  const covered = { ...call, ...planOf(run.progress.plan, id) };
  if (permission.effect === 'allow' || tool.awaitsAnswers === true || grant !== undefined) {
    return { prepared, proposed: covered, permission: grant ? { effect: 'allow' } : permission, baseline };
  }
  const seenSteps = await stepBaselines(run, id, prepared);
  // Without a preview the call can still be decided; if it runs, it reports the error itself.
  const ownPreview = await undefinedOnDomainError(() => tool.preview?.(contextMaker(run, id)(), args));
  const preview = await withStepProvenance(run, ownPreview, seen);
  const proposed = { ...call, needs_approval: true, ...(preview === undefined ? {} : { preview }) };
  return { prepared, proposed, permission, baseline, stepBaselines: seenSteps };
}
