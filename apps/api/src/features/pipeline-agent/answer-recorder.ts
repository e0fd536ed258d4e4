import type { AgentMessage, AgentMessageEvent, AgentMessageProgress, TurnEvent } from '@docwright/contract';
import type { UnfinishedAnswer } from './conversation-lease-repository.ts';

/** Records the answer to a message while it is in progress. */
export type AnswerRecorder = ReturnType<typeof startAnswerRecorder>;

const maxSteps = 50;

export function startAnswerRecorder(message: string) {
  let answer: UnfinishedAnswer = {
    started_at: new Date().toISOString(),
    message,
    text: '',
    tool_calls: [],
    subagents: [],
  };
  /** Text after calls starts a new paragraph. */
  let isNewPart = false;
  const changeCall = (callId: string, change: Partial<UnfinishedAnswer['tool_calls'][number]>) => {
    const changed = answer.tool_calls.map((call) => (call.call_id === callId ? { ...call, ...change } : call));
    answer = { ...answer, tool_calls: changed };
  };
  /** Changes the latest sub-agent of this name. */
  const changeSubAgent = (
    agentId: string,
    change: (before: UnfinishedAnswer['subagents'][number]) => Partial<UnfinishedAnswer['subagents'][number]>,
  ) => {
    const at = answer.subagents.findLastIndex(({ agent_id }) => agent_id === agentId);
    const before = answer.subagents[at];
    if (before) answer = { ...answer, subagents: answer.subagents.with(at, { ...before, ...change(before) }) };
  };

  return {
    /** Returns the same object until the answer changes. */
    current: () => answer,
    add(event: AgentMessageEvent) {
      switch (event.type) {
        case 'text':
          answer = { ...answer, text: `${answer.text}${isNewPart ? '\n\n' : ''}${event.content}` };
          isNewPart = false;
          return;
        case 'tool_call_start': {
          const { call_id, name, arguments: given } = event;
          isNewPart = answer.text !== '';
          const text_before = answer.text.length;
          const call = { call_id, tool_name: name, arguments: given, result: null, success: null, text_before };
          answer = { ...answer, tool_calls: [...answer.tool_calls, call] };
          return;
        }
        case 'tool_call_end':
          changeCall(event.call_id, { success: event.success });
          return;
        case 'subagent_start': {
          const started = {
            agent_id: event.agent_id,
            steps: [],
            success: null,
            summary: null,
            done: null,
            total: null,
            text_before: answer.text.length,
          };
          answer = { ...answer, subagents: [...answer.subagents, started] };
          return;
        }
        case 'subagent_end': {
          const { success, summary } = event;
          changeSubAgent(event.agent_id, () => ({ success, summary, done: null, total: null }));
          return;
        }
        case 'status': {
          const { agent_id, message: step, done = null, total = null } = event;
          if (agent_id === undefined || step === undefined) return;
          changeSubAgent(agent_id, ({ steps }) => ({
            steps: steps.at(-1) === step ? steps : [...steps, step].slice(-maxSteps),
            done,
            total,
          }));
          return;
        }
        default:
      }
    },
    /** The number of characters of the answer before a call. */
    textBefore: (callId: string) => answer.tool_calls.find(({ call_id }) => call_id === callId)?.text_before,
    /** Adds the result of a call, which no event contains. */
    addResult(callId: string, result: unknown) {
      changeCall(callId, { result });
    },
  };
}

/** The sub-agents of a finished answer, as stored with its message. */
export function storedSubAgents({ subagents }: UnfinishedAnswer): AgentMessage['subagents'] {
  return subagents.map(({ agent_id, steps, success, summary, text_before }) => ({
    agent_id,
    steps,
    success: success ?? false,
    summary: summary ?? 'It ended before it was done.',
    ...(text_before !== undefined && { text_before }),
  }));
}

/** Whether the answer is already stored as a message, which happens just before the lease is released. */
export function isAnswered(
  messages: readonly AgentMessage[],
  { started_at }: Pick<AgentMessageProgress, 'started_at'>,
) {
  return messages.some(({ role, created_at }) => role === 'assistant' && created_at >= started_at);
}

/** The events of a conversation for an event of its turn. */
export function conversationEventsOf(event: TurnEvent): AgentMessageEvent[] {
  switch (event.type) {
    case 'turn_started':
      return [{ type: 'status', status: 'thinking' }];
    case 'assistant_text_chunk':
      return [{ type: 'text', content: event.chunk }];
    case 'tool_calls':
      return [
        { type: 'status', status: 'working' },
        ...event.tool_calls.map(({ id, name, arguments: text }): AgentMessageEvent => ({
          type: 'tool_call_start',
          call_id: id,
          name,
          arguments: JSON.parse(text) as Record<string, unknown>,
        })),
      ];
    case 'tool_result':
      return [{ type: 'tool_call_end', call_id: event.call_id, name: event.name, success: event.success }];
    case 'round_executed':
      return [{ type: 'status', status: 'thinking' }];
    default:
      return [];
  }
}
