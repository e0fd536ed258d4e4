import type { AgentConversation, AgentMessage, AgentToolCall, Pipeline, Uncertainty } from '@docwright/contract';
import { isRecord } from '../api/json-value.ts';
import { startsSubAgent } from './setup-reducer.ts';
import type { Answering, SetupEntry, SetupState, Step } from './setup-state.ts';

/** What of a conversation the pages of the setup need. */
type Conversation = Pick<
  AgentConversation,
  'messages' | 'progress' | 'is_running' | 'current_pipeline' | 'uncertainties'
>;

/** The conversation as it is read: what the server has, and after it what is answered now, here or elsewhere. */
export function setupEntries(
  { messages, progress }: Conversation,
  { answering, told }: Pick<SetupState, 'answering' | 'told'>,
): SetupEntry[] {
  const entryOf = (message: AgentMessage) => storedEntry(message, told[message.id] ?? []);
  if (answering !== undefined) {
    const { message, text, steps, phase } = answering;
    return [
      ...messages.slice(0, answering.known).map(entryOf),
      { kind: 'person', id: 'sent', text: message },
      { kind: 'agent', id: 'answer', text, steps, live: phase !== 'over' },
    ];
  }
  const entries = messages.map(entryOf);
  if (progress === null) return entries;
  const isThere = messages.at(-1)?.role === 'user';
  const steps = progressSteps(progress);
  return [
    ...entries,
    ...(isThere ? [] : [{ kind: 'person' as const, id: 'sent', text: progress.message }]),
    { kind: 'agent', id: 'answer', text: progress.text, steps, live: true },
  ];
}

function storedEntry({ id, role, content, tool_calls }: AgentMessage, told: readonly Step[]): SetupEntry {
  if (role === 'user') return { kind: 'person', id, text: content };
  const known = told.filter((step) => step.kind === 'subagent');
  const steps = tool_calls.map(storedStep).map((step) => {
    const seen = step.kind === 'subagent' ? known.shift() : undefined;
    return seen === undefined ? step : { ...step, steps: seen.steps };
  });
  return { kind: 'agent', id, text: content, steps, live: false };
}

function storedStep({ tool_name: name, arguments: args, result }: AgentToolCall, at: number): Step {
  const told = isRecord(result) ? result : {};
  const error = typeof told['error'] === 'string' ? told['error'] : undefined;
  const id = String(at);
  if (startsSubAgent(name)) {
    const agentId = name.replace(/^spawn_/u, '');
    const summary = typeof told['summary'] === 'string' ? told['summary'] : (error ?? null);
    return { kind: 'subagent', id, agentId, steps: [], state: told['success'] === true ? 'done' : 'failed', summary };
  }
  return { kind: 'call', id, name, arguments: args, state: error === undefined ? 'done' : 'failed', error };
}

const stateOf = (success: boolean | null) => (success === null ? 'running' : success ? 'done' : 'failed');

function progressSteps({ tool_calls, subagents }: NonNullable<Conversation['progress']>): Step[] {
  return [
    ...tool_calls
      .filter(({ name }) => !startsSubAgent(name))
      .map(({ call_id: id, name, arguments: args, success }): Step => ({
        kind: 'call',
        id,
        name,
        arguments: args,
        state: stateOf(success),
      })),
    ...subagents.map(({ agent_id: agentId, steps, success, summary }, at): Step => ({
      kind: 'subagent',
      id: `${agentId} ${at}`,
      agentId,
      steps,
      state: stateOf(success),
      summary,
    })),
  ];
}

/** What is not sure, with what was said here since the conversation was read. */
export function knownUncertainties({ uncertainties }: Conversation, answering: Answering | undefined): Uncertainty[] {
  const read = new Set(uncertainties.map(({ id }) => id));
  return [...uncertainties, ...(answering?.uncertainties ?? []).filter(({ id }) => !read.has(id))];
}

/** The pipeline that is proposed, and the one before the latest message; undefined where it did not touch it. */
export function proposalOf(
  { messages, current_pipeline, is_running }: Conversation,
  answering: Answering | undefined,
): { pipeline: Pipeline | null; before: Pipeline | null | undefined } {
  if (answering !== undefined) {
    const { pipeline, before } = answering;
    return { pipeline: pipeline ?? current_pipeline, before: pipeline === undefined ? undefined : before };
  }
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const earlier = proposalsIn(messages.slice(0, asked)).at(-1) ?? null;
  const touched = is_running
    ? JSON.stringify(earlier) !== JSON.stringify(current_pipeline)
    : proposalsIn(messages.slice(asked)).length > 0;
  return { pipeline: current_pipeline, before: touched ? earlier : undefined };
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
  /** As its tool gave it. */
  found: Record<string, unknown>;
  /** Another pipeline was proposed since. */
  isOutdated: boolean;
}

/** What the latest trial of a pipeline came to. */
export function latestTrial(
  messages: readonly AgentMessage[],
  answering: Answering | undefined,
): TrialOfPipeline | undefined {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls).toReversed();
  let isOutdated = answering?.pipeline !== undefined;
  for (const { tool_name, result } of calls) {
    if (!isRecord(result)) continue;
    if (tool_name === 'build_pipeline' && isRecord(result['current_pipeline'])) isOutdated = true;
    if (tool_name === 'spawn_pipeline_validator' && isRecord(result['data']))
      return { found: result['data'], isOutdated };
  }
  return undefined;
}

/** The latest message, where it got no answer and none is on its way. */
export function unanswered(
  { messages, is_running }: Conversation,
  answering: Answering | undefined,
): string | undefined {
  const last = messages.at(-1);
  return answering === undefined && !is_running && last?.role === 'user' ? last.content : undefined;
}
