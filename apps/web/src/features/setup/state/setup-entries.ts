import type { AgentConversation, AgentMessage, AgentToolCall, Pipeline, Uncertainty } from '@docwright/contract';
import { isRecord } from '../../../shared/http/json-value.ts';
import { startsSubAgent } from './setup-reducer.ts';
import type { Answering, CallStep, SetupEntry, SetupState, Step, SubAgentStep } from './setup-state.ts';

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
      { kind: 'agent', text, steps, live: phase !== 'over' },
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

function storedEntry({ role, content, tool_calls, subagents }: AgentMessage): SetupEntry {
  if (role === 'user') return { kind: 'user', text: content };
  return {
    kind: 'agent',
    text: content,
    steps: stepsOf(tool_calls.map(storedCall), subagents.map(subAgentStep)),
    live: false,
  };
}

function storedCall({ tool_name: name, arguments: args, result }: AgentToolCall, at: number): CallStep {
  const error = isRecord(result) && typeof result['error'] === 'string' ? result['error'] : undefined;
  return { kind: 'call', id: String(at), name, arguments: args, state: error === undefined ? 'done' : 'failed', error };
}

const stateOf = (success: boolean | null) => (success === null ? 'running' : success ? 'done' : 'failed');

function progressSteps({ tool_calls, subagents }: NonNullable<Conversation['progress']>): Step[] {
  const calls = tool_calls.map(({ call_id: id, name, arguments: args, success }): CallStep => ({
    kind: 'call',
    id,
    name,
    arguments: args,
    state: stateOf(success),
  }));
  const cards = subagents.map((each, at) => ({
    ...subAgentStep(each, at),
    done: each.done ?? undefined,
    total: each.total ?? undefined,
  }));
  return stepsOf(calls, cards);
}

/** Calls in order; a call that started a sub-agent is replaced by its card. */
function stepsOf(calls: readonly CallStep[], cards: readonly SubAgentStep[]): Step[] {
  const remaining = [...cards];
  const steps = calls.flatMap((call): Step[] => {
    if (!startsSubAgent(call.name)) return [call];
    const kind = call.name.replace(/^spawn_/u, '');
    const index = remaining.findIndex(({ agentId }) => agentId.startsWith(kind));
    if (index !== -1) return remaining.splice(index, 1);
    // A refused call started no sub-agent.
    return call.state === 'running' ? [] : [call];
  });
  // A stopped message has no calls, but its sub-agents have steps to show.
  return [...steps, ...remaining];
}

type StoredSubAgent = Pick<
  NonNullable<Conversation['progress']>['subagents'][number],
  'agent_id' | 'steps' | 'success' | 'summary'
>;

const subAgentStep = ({ agent_id: agentId, steps, success, summary }: StoredSubAgent, at: number): SubAgentStep => ({
  kind: 'subagent',
  id: `${agentId} ${at}`,
  agentId,
  steps,
  state: stateOf(success),
  summary,
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
