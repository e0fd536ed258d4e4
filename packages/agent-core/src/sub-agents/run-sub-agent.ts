import {
  type FoundUncertainty,
  type JsonObject,
  type SubAgentResult,
  DomainError,
  subAgentResult,
} from '@docwright/contract';
import { z } from 'zod';
import type { LlmMessage, LlmChunk, LlmClient } from '../llm/llm-client.ts';
import type { AgentProfile } from '../loop/agent-profile.ts';
import { runTurn } from '../loop/run-turn.ts';
import { describeFailure } from '../loop/turn-result.ts';
import type { TurnResult } from '../loop/turn-result.ts';
import type { SubAgentModel } from './sub-agent-model.ts';
import { createStepEmitter, type EmitStep } from './sub-agent-steps.ts';

export interface SubAgentRun<Services, Data> {
  /** Its tools only read; its limits are its own. */
  readonly profile: AgentProfile<Services>;
  readonly services: Services;
  readonly task: string;
  /** What every such task begins with: made before the model is asked for the first time. */
  readonly firstCalls?: readonly { name: string; arguments: string }[];
  readonly model: SubAgentModel;
  /** What `data` has to be in its answer. */
  readonly data: z.ZodType<Data>;
  /** What is handed back: what the tools have counted, with what the model says of it once it said something that fits. */
  readonly settle: (said: Data | undefined) => { data: JsonObject; uncertainties: FoundUncertainty[] };
  readonly signal: AbortSignal;
  /** Receives each step while the sub-agent works. */
  readonly emitStep: EmitStep;
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

/** A tool that ignores the signal is not waited for. */
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
  const { firstCalls, profile } = run;
  const asked = askedOnceMore(run.model.llm);
  const llm = firstCalls === undefined ? asked : begunWith(firstCalls, asked);
  // The given calls are a round of their own.
  let rounds = profile.limits.maxRounds + (firstCalls === undefined ? 0 : 1);
  for (let attempt = 1; ; attempt++) {
    const result = await turnOf(run, llm, messages, rounds, signal);
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
    model: { model, owner, threadId, decide, recordCallsOf, newTurnId },
    emitStep,
  }: SubAgentRun<Services, Data>,
  llm: LlmClient,
  messages: readonly LlmMessage[],
  maxRounds: number,
  signal: AbortSignal,
): Promise<TurnResult> {
  const turnId = newTurnId();
  const turn = runTurn({
    profile: { ...profile, limits: { ...profile.limits, maxRounds } },
    llm,
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
  const emitSteps = createStepEmitter(emitStep);
  let step = await turn.next();
  while (step.done !== true) {
    for (const event of step.value) emitSteps(event);
    step = await turn.next();
  }
  return step.value;
}

/** How many times as long as usual the second answer may let itself be waited for. */
const patience = 2;

/**
 * A client whose calls are made once more, with more time, where the model fell silent. Nobody reads along with a
 * sub-agent, so that an answer is handed on once it is whole, and one that broke off leaves nothing behind.
 */
function askedOnceMore(llm: LlmClient): LlmClient {
  return {
    async *stream(request) {
      let answer: LlmChunk[];
      try {
        answer = await whole(llm.stream(request));
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'model_timeout') throw error;
        request.signal?.throwIfAborted();
        answer = await whole(llm.stream({ ...request, patience }));
      }
      yield answer;
    },
  };
}

async function whole(chunks: AsyncIterable<readonly LlmChunk[]>): Promise<LlmChunk[]> {
  const read: LlmChunk[] = [];
  for await (const some of chunks) read.push(...some);
  return read;
}

/** What a sub-agent's last answer says, once it fits. */
interface SubAgentAnswer<Data> {
  success: boolean;
  data: Data;
  uncertainties: FoundUncertainty[];
  summary: string;
}

/** Reads the JSON of a sub-agent's last answer; words or a code fence around it do no harm. Says why it does not fit. */
function readSubAgentAnswer<Data>(
  text: string,
  data: z.ZodType<Data>,
): { answer: SubAgentAnswer<Data> } | { problem: string } {
  const found = objectIn(text);
  if (found === undefined) return { problem: 'There is no JSON object in it.' };
  const parsed = subAgentResult.safeParse(found);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  const inner = data.safeParse(parsed.data.data);
  if (!inner.success) return { problem: `data: ${z.prettifyError(inner.error)}` };
  return { answer: { ...parsed.data, data: inner.data } };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as unknown;
  } catch {
    return undefined;
  }
}

/** A client whose first answer is given: nobody is asked for it, and nothing is charged. */
function begunWith(calls: readonly { name: string; arguments: string }[], llm: LlmClient): LlmClient {
  let isBegun = false;
  return {
    async *stream(request) {
      if (isBegun) {
        yield* llm.stream(request);
        return;
      }
      isBegun = true;
      const answer = { content: '', toolCalls: calls, reasoning: [] };
      const usage = { prompt_tokens: 0, completion_tokens: 0, estimated: false };
      yield [{ type: 'finish', answer, finishReason: 'tool_calls', usage }];
    },
  };
}
