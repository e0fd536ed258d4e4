import type { AgentConversation, AgentMessage, AgentToolCall, Pipeline, Uncertainty } from '@docwright/contract';
import { isRecord } from '../../../shared/http/json-value.ts';
import { startsSubAgent } from './setup-reducer.ts';
import type { Answering, CallStep, SetupEntry, SetupState, AgentStep, SubAgentWork } from './setup-state.ts';

/** The fields of a conversation that the setup page needs. */
type Conversation = Pick<
  AgentConversation,
  'messages' | 'progress' | 'is_running' | 'current_pipeline' | 'uncertainties'
>;

/** The messages to show: the stored ones, then the one being answered in this tab or elsewhere. */
export function setupEntries(
  { messages, progress }: Conversation,
  { answering }: Pick<SetupState, 'answering'>,
): SetupEntry[] {
  if (answering !== undefined) {
    const { message, text, steps, phase } = answering;
    return [
      ...messages.slice(0, answering.messageCount).map(storedEntry),
      { kind: 'user', text: message },
      { kind: 'agent', text, steps: steps.filter((step) => !isStarting(step)), live: phase !== 'over' },
    ];
  }
  const entries = messages.map(storedEntry);
  if (progress === null) return entries;
  const exists = messages.at(-1)?.role === 'user';
  const steps = progressSteps(progress);
  return [
    ...entries,
    ...(exists ? [] : [{ kind: 'user' as const, text: progress.message }]),
    { kind: 'agent', text: progress.text, steps, live: true },
  ];
}

/** A call whose sub-agent has no card yet. */
const isStarting = (step: AgentStep) => step.kind === 'call' && startsSubAgent(step.name) && step.state === 'running';

function storedEntry({ role, content, tool_calls, subagents }: AgentMessage): SetupEntry {
  if (role === 'user') return { kind: 'user', text: content };
  return {
    kind: 'agent',
    text: content,
    steps: stepsOf(tool_calls.map(storedCall), subagents.map(subAgentStep)),
    live: false,
  };
}

function storedCall(
  { tool_name: name, arguments: args, result, text_before: textBefore }: AgentToolCall,
  at: number,
): CallStep {
  const error = isRecord(result) && typeof result['error'] === 'string' ? result['error'] : undefined;
  const state = error === undefined ? 'done' : 'failed';
  return { kind: 'call', id: String(at), name, arguments: args, state, error, textBefore };
}

const stateOf = (success: boolean | null) => (success === null ? 'running' : success ? 'done' : 'failed');

function progressSteps({ tool_calls, subagents }: NonNullable<Conversation['progress']>): AgentStep[] {
  const calls = tool_calls.map(
    ({ call_id: id, name, arguments: args, success, text_before: textBefore }): CallStep => ({
      kind: 'call',
      id,
      name,
      arguments: args,
      state: stateOf(success),
      textBefore,
    }),
  );
  const cards = subagents.map((each, at) => ({
    ...subAgentStep(each, at),
    done: each.done ?? undefined,
    total: each.total ?? undefined,
  }));
  return stepsOf(calls, cards);
}

/** Calls in order; a call that started a sub-agent is replaced by its card. */
function stepsOf(calls: readonly CallStep[], cards: readonly SubAgentWork[]): AgentStep[] {
  const remaining = [...cards];
  const steps = calls.flatMap((call): AgentStep[] => {
    if (!startsSubAgent(call.name)) return [call];
    const kind = call.name.replace(/^spawn_/u, '');
    const index = remaining.findIndex(({ agentId }) => agentId.startsWith(kind));
    if (index !== -1) return remaining.splice(index, 1);
    // A refused call started no sub-agent.
    return isStarting(call) ? [] : [call];
  });
  // A stopped message has no calls, but its sub-agents have steps to show.
  const all = [...steps, ...remaining];
  const areAllPlaced = all.every(({ textBefore }) => textBefore !== undefined);
  return areAllPlaced ? all.toSorted((a, b) => (a.textBefore ?? 0) - (b.textBefore ?? 0)) : all;
}

type StoredSubAgent = Pick<
  NonNullable<Conversation['progress']>['subagents'][number],
  'agent_id' | 'steps' | 'success' | 'summary' | 'text_before'
>;

const subAgentStep = (
  { agent_id: agentId, steps, success, summary, text_before: textBefore }: StoredSubAgent,
  at: number,
): SubAgentWork => ({
  kind: 'subagent',
  id: `${agentId} ${at}`,
  agentId,
  steps,
  state: stateOf(success),
  summary,
  textBefore,
});

/** The stored uncertainties and those streamed since. */
export function knownUncertainties({ uncertainties }: Conversation, answering: Answering | undefined): Uncertainty[] {
  const storedIds = new Set(uncertainties.map(({ id }) => id));
  return [...uncertainties, ...(answering?.uncertainties ?? []).filter(({ id }) => !storedIds.has(id))];
}

/** The proposed pipeline, and the one before the latest message; undefined if that message did not change it. */
export function setupProposalOf(
  { messages, current_pipeline, is_running }: Conversation,
  answering: Answering | undefined,
): { pipeline: Pipeline | null; before: Pipeline | null | undefined } {
  if (answering !== undefined) {
    const { pipeline, before } = answering;
    return { pipeline: pipeline ?? current_pipeline, before: pipeline === undefined ? undefined : before };
  }
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  const earlier = proposalsIn(messages.slice(0, lastQuestion)).at(-1) ?? null;
  const isChanged = is_running
    ? JSON.stringify(earlier) !== JSON.stringify(current_pipeline)
    : proposalsIn(messages.slice(lastQuestion)).length > 0;
  return { pipeline: current_pipeline, before: isChanged ? earlier : undefined };
}

function proposalsIn(messages: readonly AgentMessage[]): Pipeline[] {
  return messages.flatMap(({ tool_calls }) =>
    tool_calls.flatMap(({ tool_name, result }) => {
      const built = tool_name === 'build_pipeline' && isRecord(result) ? result['current_pipeline'] : undefined;
      return isRecord(built) ? [built as unknown as Pipeline] : [];
    }),
  );
}

export interface TrialOfPipeline {
  /** The tool's result. */
  found: Record<string, unknown>;
  /** Whether another pipeline is proposed now. */
  isOutdated: boolean;
}

/** The result of the latest trial; undefined without one. */
export function latestTrial(
  { validation }: Pick<AgentConversation, 'validation'>,
  proposed: Pipeline | null,
): TrialOfPipeline | undefined {
  if (validation === null) return undefined;
  return { found: validation, isOutdated: JSON.stringify(validation['pipeline']) !== JSON.stringify(proposed) };
}

/** The latest message if it has no answer and none is pending. */
export function unanswered(
  { messages, is_running }: Conversation,
  answering: Answering | undefined,
): string | undefined {
  const last = messages.at(-1);
  return answering === undefined && !is_running && last?.role === 'user' ? last.content : undefined;
}

/** A step, or the text that was written between steps. */
export type AnswerPart = AgentStep | { kind: 'text'; text: string };

/** An answer in the order in which it was written. If the order is unknown, the steps come before the text. */
export function partsOf(text: string, steps: readonly AgentStep[]): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let written = 0;
  const addText = (end: number) => {
    const part = text.slice(written, end).trim();
    if (part !== '') parts.push({ kind: 'text', text: part });
    written = Math.max(written, end);
  };
  for (const step of steps) {
    if (step.textBefore !== undefined && step.textBefore > written) addText(step.textBefore);
    parts.push(step);
  }
  addText(text.length);
  return parts;
}
