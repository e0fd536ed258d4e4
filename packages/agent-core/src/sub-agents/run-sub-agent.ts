import { type FoundUncertainty, type JsonObject, type SubAgentResult, subAgentResult } from '@docwright/contract';
import { z } from 'zod';
import { parseBoundedJson } from '../llm/json-bounds.ts';
import type { LlmMessage, LlmChunk, LlmClient } from '../llm/llm-client.ts';
import type { AgentProfile } from '../loop/agent-profile.ts';
import { finishTurn } from '../loop/run-turn.ts';
import { describeFailure } from '../loop/turn-result.ts';
import type { TurnResult } from '../loop/turn-result.ts';
import type { SubAgentModel } from './sub-agent-model.ts';
import { createStepEmitter, type EmitStep } from './sub-agent-steps.ts';

export interface SubAgentRun<Services, Data> {
  /** The sub-agent's tools, which must be read-only, and its limits. */
  readonly profile: AgentProfile<Services>;
  readonly services: Services;
  readonly task: string;
  /** Calls that run before the first model request. */
  readonly firstCalls?: readonly { name: string; arguments: string }[];
  readonly model: SubAgentModel;
  /** The schema of `data` in the sub-agent's answer. */
  readonly data: z.ZodType<Data>;
  /** Combines the facts that the tools collected with the model's answer; the answer is undefined after a failure. */
  readonly settle: (answer: Data | undefined) => { data: JsonObject; uncertainties: FoundUncertainty[] };
  readonly signal: AbortSignal;
  /** Receives each step while the sub-agent runs. */
  readonly emitStep: EmitStep;
}

type Outcome<Data> = { answer: SubAgentAnswer<Data> } | { failure: string };

/**
 * Runs an agent in a turn of its own, with new messages and read-only tools. A timeout, too many rounds, an error and an
 * invalid answer become a result with `success: false` and the data collected so far. Throws only if the profile has a
 * write tool, or when the caller's signal aborts.
 */
export async function runSubAgent<Services, Data>(run: SubAgentRun<Services, Data>): Promise<SubAgentResult> {
  const { profile, settle, signal } = run;
  const write = profile.tools.tools.find(({ effect }) => effect !== 'read');
  if (write !== undefined) throw new Error(`The sub-agent ${profile.name} has the write tool ${write.name}.`);
  const timeout = AbortSignal.timeout(profile.limits.timeoutMs);
  const outcome = await raceWithAbort(converse(run, AbortSignal.any([signal, timeout])), timeout, signal);
  signal.throwIfAborted();
  if ('failure' in outcome) {
    const seconds = Math.round(profile.limits.timeoutMs / 1000);
    const reached = `The time limit of ${seconds} s was reached. This is the result so far.`;
    return { success: false, ...settle(undefined), summary: timeout.aborted ? reached : outcome.failure };
  }
  const { success, data, uncertainties, summary } = outcome.answer;
  const settled = settle(data);
  return { success, data: settled.data, uncertainties: [...settled.uncertainties, ...uncertainties], summary };
}

/** Waits for the work or an abort, so that a tool that ignores the signal cannot block. */
async function raceWithAbort<Data>(work: Promise<Outcome<Data>>, ...signals: AbortSignal[]): Promise<Outcome<Data>> {
  const aborted = Promise.withResolvers<Outcome<Data>>();
  const signal = AbortSignal.any(signals);
  const stop = () => aborted.resolve({ failure: 'The sub-agent was stopped.' });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    return { failure: `The sub-agent failed: ${describeFailure(error).message}` };
  } finally {
    signal.removeEventListener('abort', stop);
    // A rejection after the abort is expected.
    work.catch(() => undefined);
  }
}

/** Runs turns until an answer is valid. An invalid answer is returned to the model once, with the problem. */
async function converse<Services, Data>(run: SubAgentRun<Services, Data>, signal: AbortSignal): Promise<Outcome<Data>> {
  let messages: LlmMessage[] = [{ role: 'user', content: run.task }];
  const { firstCalls, profile } = run;
  const complete = inOnePiece(run.model.llm);
  const llm = firstCalls === undefined ? complete : startingWith(firstCalls, complete);
  // The first calls are a round of their own.
  let rounds = profile.limits.maxRounds + (firstCalls === undefined ? 0 : 1);
  for (let attempt = 1; ; attempt++) {
    const result = await runOneTurn(run, llm, messages, rounds, signal);
    if (result.status === 'max_rounds') return { failure: 'The sub-agent did not finish within its rounds.' };
    if (result.status === 'failed') return { failure: `The sub-agent failed: ${result.error.message}` };
    if (result.status !== 'completed') return { failure: 'The sub-agent was stopped.' };
    const read = readSubAgentAnswer(result.text, run.data);
    if ('answer' in read) return read;
    rounds -= result.executedRounds.length + 1;
    if (attempt === 2 || rounds < 1) return { failure: 'The sub-agent gave no valid answer.' };
    const content = `Your answer cannot be read: ${read.problem} Answer again with the JSON object alone.`;
    messages = [...messages, ...result.messages, { role: 'user', content }];
  }
}

async function runOneTurn<Services, Data>(
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
  const input = {
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
  };
  return finishTurn(input, createStepEmitter(emitStep));
}

/**
 * A client that passes on only complete answers: no user watches a sub-agent's text, and an answer that stops in the middle
 * must leave no text behind, so that the loop can ask again.
 */
function inOnePiece(llm: LlmClient): LlmClient {
  return {
    async *stream(request) {
      yield await collectChunks(llm.stream(request));
    },
  };
}

async function collectChunks(chunks: AsyncIterable<readonly LlmChunk[]>): Promise<LlmChunk[]> {
  const read: LlmChunk[] = [];
  for await (const some of chunks) read.push(...some);
  return read;
}

/** A valid final answer of a sub-agent. */
interface SubAgentAnswer<Data> {
  success: boolean;
  data: Data;
  uncertainties: FoundUncertainty[];
  summary: string;
}

/** Reads the JSON object in a sub-agent's final answer; text or a code fence around it is ignored. */
function readSubAgentAnswer<Data>(
  text: string,
  data: z.ZodType<Data>,
): { answer: SubAgentAnswer<Data> } | { problem: string } {
  const found = parseObject(text);
  if (found === undefined) return { problem: 'There is no JSON object in it.' };
  const parsed = subAgentResult.safeParse(found);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  const inner = data.safeParse(parsed.data.data);
  if (!inner.success) return { problem: `data: ${z.prettifyError(inner.error)}` };
  return { answer: { ...parsed.data, data: inner.data } };
}

function parseObject(text: string): unknown {
  try {
    return parseBoundedJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

/** A client whose first answer is the given calls: it asks no model and charges nothing. */
function startingWith(calls: readonly { name: string; arguments: string }[], llm: LlmClient): LlmClient {
  let hasStarted = false;
  return {
    async *stream(request) {
      if (hasStarted) {
        yield* llm.stream(request);
        return;
      }
      hasStarted = true;
      const answer = { content: '', toolCalls: calls, reasoning: [] };
      const usage = { prompt_tokens: 0, completion_tokens: 0, estimated: false };
      yield [{ type: 'finish', answer, finishReason: 'tool_calls', usage }];
    },
  };
}
