import type { FoundUncertainty, JsonObject, SubAgentResult } from '@docwright/contract';
import type { z } from 'zod';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { AgentProfile } from '../loop/agent-profile.ts';
import { runTurn } from '../loop/run-turn.ts';
import { describeFailure } from '../loop/turn-result.ts';
import type { TurnResult } from '../loop/turn-result.ts';
import { askedOnceMore } from './asked-once-more.ts';
import { readSubAgentAnswer, type SubAgentAnswer } from './sub-agent-answer.ts';
import type { SubAgentModel } from './sub-agent-model.ts';
import { createStepTeller, type TellStep } from './sub-agent-steps.ts';

export interface SubAgentRun<Services, Data> {
  /** Its tools only read; its limits are its own. */
  readonly profile: AgentProfile<Services>;
  readonly services: Services;
  readonly task: string;
  readonly model: SubAgentModel;
  /** What `data` has to be in its answer. */
  readonly data: z.ZodType<Data>;
  /** What is handed back: what the tools have counted, with what the model says of it once it said something that fits. */
  readonly settle: (said: Data | undefined) => { data: JsonObject; uncertainties: FoundUncertainty[] };
  readonly signal: AbortSignal;
  /** Hears each step while it works. */
  readonly tell: TellStep;
}

type End<Data> = { answer: SubAgentAnswer<Data> } | { failure: string };

/**
 * Runs an agent in a turn of its own, with fresh messages and no way to write. Whatever becomes of it is a result: one
 * that takes too long, loops, fails or answers nonsense is `success: false` with what there is so far. Throws only when
 * its caller's own signal aborts.
 */
export async function runSubAgent<Services, Data>(run: SubAgentRun<Services, Data>): Promise<SubAgentResult> {
  const { profile, settle, signal } = run;
  const write = profile.tools.tools.find(({ effect }) => effect !== 'read_only');
  if (write !== undefined) throw new Error(`The sub-agent ${profile.name} has the write tool ${write.name}.`);
  const time = AbortSignal.timeout(profile.limits.timeoutMs);
  const end = await withinTime(converse(run, AbortSignal.any([signal, time])), time, signal);
  signal.throwIfAborted();
  if ('failure' in end) {
    const seconds = Math.round(profile.limits.timeoutMs / 1000);
    const summary = time.aborted ? `The time of ${seconds} s was over. This is what there is so far.` : end.failure;
    return { success: false, ...settle(undefined), summary };
  }
  const { success, data: said, uncertainties, summary } = end.answer;
  const settled = settle(said);
  return { success, data: settled.data, uncertainties: [...settled.uncertainties, ...uncertainties], summary };
}

/** A tool that hears no signal is not waited for. */
async function withinTime<Data>(work: Promise<End<Data>>, ...signals: AbortSignal[]): Promise<End<Data>> {
  const over = Promise.withResolvers<End<Data>>();
  const signal = AbortSignal.any(signals);
  const end = () => over.resolve({ failure: 'It was stopped.' });
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } catch (error) {
    return { failure: `The sub-agent failed: ${describeFailure(error).message}` };
  } finally {
    signal.removeEventListener('abort', end);
    // Nobody waits for it any more.
    work.catch(() => undefined);
  }
}

/** An answer that does not fit is given back once, with what is wrong with it. */
async function converse<Services, Data>(run: SubAgentRun<Services, Data>, signal: AbortSignal): Promise<End<Data>> {
  let messages: LlmMessage[] = [{ role: 'user', content: run.task }];
  let rounds = run.profile.limits.maxRounds;
  for (let attempt = 1; ; attempt++) {
    const result = await turnOf(run, messages, rounds, signal);
    if (result.status === 'max_rounds') return { failure: 'The sub-agent came to no end within its rounds.' };
    if (result.status === 'failed') return { failure: `The sub-agent failed: ${result.error.message}` };
    if (result.status !== 'completed') return { failure: 'The sub-agent was stopped.' };
    const read = readSubAgentAnswer(result.text, run.data);
    if ('answer' in read) return read;
    rounds -= result.executedRounds.length + 1;
    if (attempt === 2 || rounds < 1) return { failure: 'The sub-agent gave no answer that can be used.' };
    const content = `Your answer cannot be read: ${read.problem} Answer again with the JSON object alone.`;
    messages = [...messages, ...result.messages, { role: 'user', content }];
  }
}

async function turnOf<Services, Data>(
  {
    profile,
    services,
    model: { llm, model, owner, threadId, decide, recordCallsOf, newTurnId },
    tell,
  }: SubAgentRun<Services, Data>,
  messages: readonly LlmMessage[],
  maxRounds: number,
  signal: AbortSignal,
): Promise<TurnResult> {
  const turnId = newTurnId();
  const turn = runTurn({
    profile: { ...profile, limits: { ...profile.limits, maxRounds } },
    llm: askedOnceMore(llm),
    services,
    decide,
    recordCalls: recordCallsOf(turnId),
    signal,
    turn: {
      turnId,
      threadId,
      owner,
      settings: { model, mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages,
      maxMessages: messages.length,
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  const tellEvent = createStepTeller(tell);
  let step = await turn.next();
  while (step.done !== true) {
    for (const event of step.value) tellEvent(event);
    step = await turn.next();
  }
  return step.value;
}
