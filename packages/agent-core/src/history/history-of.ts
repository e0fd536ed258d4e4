import type { ChatMessage, ThreadMessage } from '@docwright/contract';
import type { LlmAssistantMessage, LlmMessage, LlmToolCall } from '../llm/llm-client.ts';
import { callIdFor, newCallId } from '../tool/call-id.ts';

/**
 * Messages of a request as history. Their calls get ids of ours, since a client's may be anybody's; each result goes
 * to the nearest call before it that had its id. Nothing in them is ever run.
 */
export function historyOf(messages: readonly ChatMessage[]): LlmMessage[] {
  const ours = new Map<string, string>();
  let calls = 0;
  return messages.map((message): LlmMessage => {
    const content = message.content ?? '';
    if (message.role === 'user') return { role: 'user', content };
    if (message.role === 'tool') {
      return { role: 'tool', callId: ours.get(message.tool_call_id ?? '') ?? newCallId(), content };
    }
    const toolCalls = (message.tool_calls ?? []).map((call): LlmToolCall => {
      const id = callIdFor(call.id, ++calls);
      ours.set(call.id, id);
      return { id, name: call.function.name, arguments: call.function.arguments };
    });
    return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
  });
}

/** What of an assistant message goes back to the model that wrote it and is shown to nobody. */
export interface SentParts {
  readonly model?: string;
  /** In the order of the message's calls. */
  readonly calls: readonly Pick<LlmToolCall, 'providerId' | 'extraContent'>[];
  readonly reasoning?: LlmAssistantMessage['reasoning'];
}

/** The parts of a message that have to be kept so that it is sent again as it was; undefined where there are none. */
export function sentPartsOf({ model, toolCalls = [], reasoning }: LlmAssistantMessage): SentParts | undefined {
  const calls = toolCalls.map(({ providerId, extraContent }) => ({
    ...(providerId !== undefined && { providerId }),
    ...(extraContent !== undefined && { extraContent }),
  }));
  const isPlain = calls.every((call) => Object.keys(call).length === 0) && (reasoning ?? []).length === 0;
  return isPlain ? undefined : { ...(model !== undefined && { model }), calls, ...(reasoning && { reasoning }) };
}

type StoredMessage = Omit<ThreadMessage, 'id' | 'created_at'> & { sent?: SentParts | undefined };

/** Messages of a thread, stored or about to be, as history: as they were sent before, where their parts were kept. */
export function historyOfThread(messages: readonly StoredMessage[]): LlmMessage[] {
  return messages.map((message): LlmMessage => {
    const { role, content, tool_calls = [], sent } = message;
    if (role === 'user') return { role, content };
    if (role === 'tool') return { role, callId: message.tool_call_id ?? '', content };
    const toolCalls = tool_calls.map((call, at) => ({ ...call, ...sent?.calls[at] }));
    return {
      role,
      content,
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(sent?.reasoning !== undefined && { reasoning: sent.reasoning }),
      ...(sent?.model !== undefined && { model: sent.model }),
    };
  });
}

/** A question or an answer as conversations store it that show words alone. */
interface AnsweredMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Of an answer: calls, results and words as the model was sent them. Absent where it failed or is older. */
  readonly sent?: readonly LlmMessage[] | undefined;
}

/**
 * Questions and their answers as history, as they were sent before. A message that got no answer is told so: the model
 * shall not do later what nobody waits for any more.
 */
export function historyOfAnswers(messages: readonly AnsweredMessage[]): LlmMessage[] {
  return messages.flatMap(({ role, content, sent }, at): LlmMessage[] => {
    if (role === 'assistant') return sent === undefined ? [{ role, content }] : [...sent];
    if (messages[at + 1]?.role === 'assistant') return [{ role, content }];
    return [
      { role, content },
      { role: 'assistant', content: 'I could not answer this message.' },
    ];
  });
}

/** What a turn sent after the person's message, for `historyOfAnswers`. A call that waits for the person says so. */
export function sentBy(messages: readonly LlmMessage[]): LlmMessage[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])));
  return messages.flatMap((message): LlmMessage[] => {
    if (message.role !== 'assistant') return [message];
    const waiting = (message.toolCalls ?? []).filter(({ id }) => !answered.has(id));
    return [message, ...waiting.map(({ id }): LlmMessage => ({ role: 'tool', callId: id, content: asked }))];
  });
}

const asked = JSON.stringify({ status: 'the person was asked' });
