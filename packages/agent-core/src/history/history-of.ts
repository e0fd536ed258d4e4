import type { ChatMessage, ThreadMessage } from '@docwright/contract';
import type { LlmMessage, LlmToolCall } from '../llm/llm-client.ts';
import { newCallId } from '../tool/call-id.ts';

/**
 * Messages of a request as history. Their calls get ids of ours, since a client's may be anybody's; each result goes
 * to the nearest call before it that had its id. Nothing in them is ever run.
 */
export function historyOf(messages: readonly ChatMessage[]): LlmMessage[] {
  const ours = new Map<string, string>();
  return messages.map((message): LlmMessage => {
    const content = message.content ?? '';
    if (message.role === 'user') return { role: 'user', content };
    if (message.role === 'tool') {
      return { role: 'tool', callId: ours.get(message.tool_call_id ?? '') ?? newCallId(), content };
    }
    const toolCalls = (message.tool_calls ?? []).map((call): LlmToolCall => {
      const id = newCallId();
      ours.set(call.id, id);
      return { id, name: call.function.name, arguments: call.function.arguments };
    });
    return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
  });
}

/** Messages of a thread, stored or about to be, as history. */
export function historyOfThread(messages: readonly Omit<ThreadMessage, 'id' | 'created_at'>[]): LlmMessage[] {
  return messages.map((message): LlmMessage => {
    const { role, content, tool_calls: toolCalls } = message;
    if (role === 'user') return { role, content };
    if (role === 'tool') return { role, callId: message.tool_call_id ?? '', content };
    return { role, content, ...(toolCalls === undefined || toolCalls.length === 0 ? {} : { toolCalls }) };
  });
}
