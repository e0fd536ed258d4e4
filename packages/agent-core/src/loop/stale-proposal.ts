import { DomainError } from '@docwright/contract';
import { differenceBetween, type Baseline } from '../tool/baseline.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { FitCall } from './prepare-call.ts';

/** What waiting writes saw when they were proposed, by call id. Our own calls move it on, other people's do not. */
export type Baselines = Map<string, Baseline>;

/**
 * Whether a write of this call is in the database. One that was cut off between its write and its result runs again,
 * finds itself, and gives the result that was lost.
 */
export type WasApplied = (callId: string) => Promise<boolean>;

/**
 * Why the evaluation that a person approved a call with says nothing about it any more; undefined where it does.
 * `args` are those that would run.
 */
export type CheckEvidence = (
  evaluationId: string,
  call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; readonly callId: string },
) => Promise<string | undefined>;

/** As `staleness`, of the evaluation that the call was approved with. */
export async function staleEvidence<Services>(
  { checkEvidence, wasApplied }: { checkEvidence?: CheckEvidence; wasApplied?: WasApplied },
  evaluationId: string,
  { tool, args }: FitCall<Services>,
  { origin: { call_id } }: ToolContext<Services>,
): Promise<string | undefined> {
  const reason = await checkEvidence?.(evaluationId, { tool: tool.name, args, callId: call_id });
  if (reason === undefined || (await wasApplied?.(call_id))) return undefined;
  return `stale_proposal: ${reason} It was not run.`;
}

/** What a write would change, as it stands; undefined for a call that states nothing or whose target is not there. */
export async function baselineOf<Services>(
  { tool, args }: FitCall<Services>,
  context: ToolContext<Services>,
): Promise<Baseline | undefined> {
  try {
    return await tool.baseline?.(context, args);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/**
 * Why a call must not run any more, in words for the model and the person; undefined where it may. With arguments that
 * the person edited, only what both the proposal and the edited call work on is compared.
 */
export async function staleness<Services>(
  call: FitCall<Services>,
  context: ToolContext<Services>,
  seen: { baseline: Baseline; isEdited: boolean },
  wasApplied: WasApplied = async () => false,
): Promise<string | undefined> {
  const stale = await difference(call, context, seen);
  return stale === undefined || (await wasApplied(context.origin.call_id)) ? undefined : told(stale);
}

async function difference<Services>(
  call: FitCall<Services>,
  context: ToolContext<Services>,
  seen: { baseline: Baseline; isEdited: boolean },
): Promise<string | undefined> {
  const now = await baselineOf(call, context);
  const names = seen.baseline.map(({ name }) => name).join(' or ');
  if (now === undefined) return seen.isEdited ? undefined : `the ${names} is no longer there`;
  const common = seen.baseline.filter(({ thing }) => now.some((each) => each.thing === thing));
  return differenceBetween(seen.isEdited ? common : seen.baseline, now);
}

/**
 * After a call of the batch has run: what it changed is nobody else's change to the calls that follow, nor is a target
 * that moved because the call left another working state.
 */
export async function moveBaselines<Services>(
  baselines: Baselines,
  done: Baseline | undefined,
  following: readonly { id: string; call: FitCall<Services>; context: ToolContext<Services> }[],
): Promise<void> {
  const changed = done?.[0]?.thing;
  for (const { id, call, context } of following) {
    const former = baselines.get(id);
    if (former === undefined) continue;
    const now = await baselineOf(call, context);
    if (now === undefined) continue;
    const same = now.every(({ thing }, at) => former[at]?.thing === thing) && now.length === former.length;
    baselines.set(id, same ? now.map((seen, at) => (seen.thing === changed ? seen : (former[at] ?? seen))) : now);
  }
}

function told(what: string): string {
  return `stale_proposal: ${what} since this call was proposed. It was not run. Read what is there now and propose it anew.`;
}
