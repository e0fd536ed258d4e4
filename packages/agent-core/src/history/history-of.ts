import type { ChatMessage, ThreadMessage } from '@docwright/contract';
import type { LlmAssistantMessage, LlmMessage, LlmToolCall } from '../llm/llm-client.ts';
import { callIdFor, newCallId } from '../tool/call-id.ts';

/**
 * Converts the messages of a request to history. Calls get new ids, because the client's ids are untrusted and not
 * unique; each result belongs to the nearest earlier call with its id. None of these calls is run.
 *
 * @example
 * import { historyOf } from '@docwright/agent-core';
 *
 * historyOf([{ role: 'user', content: 'Extract it.' }]); // [{ role: 'user', content: 'Extract it.' }]
 */
export function historyOf(messages: readonly ChatMessage[]): LlmMessage[] {
  const callIds = new Map<string, string>();
  let calls = 0;
  return messages.map((message): LlmMessage => {
    const content = message.content ?? '';
    if (message.role === 'user') return { role: 'user', content };
    if (message.role === 'tool') {
      return { role: 'tool', callId: callIds.get(message.tool_call_id ?? '') ?? newCallId(), content };
    }
    const toolCalls = (message.tool_calls ?? []).map((call): LlmToolCall => {
      const id = callIdFor(call.id, ++calls);
      callIds.set(call.id, id);
      return { id, name: call.function.name, arguments: call.function.arguments };
    });
    return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
  });
}

/** Parts of an assistant message that are sent back to the model that wrote it, but not shown to users. */
export interface SentParts {
  readonly model?: string;
  /** In the order of the message's calls. */
  readonly calls: readonly Pick<LlmToolCall, 'providerId' | 'extraContent'>[];
  readonly reasoning?: LlmAssistantMessage['reasoning'];
}

/**
 * The parts of a message to store, so that it can be sent again unchanged; undefined if it has none.
 *
 * @example
 * import { sentPartsOf } from '@docwright/agent-core';
 *
 * sentPartsOf({ role: 'assistant', content: 'Done.' }); // undefined
 * sentPartsOf({ role: 'assistant', content: 'Done.', reasoning: [{ kind: 'redacted', data: '…' }] }); // { calls: [], … }
 */
export function sentPartsOf({ model, toolCalls = [], reasoning }: LlmAssistantMessage): SentParts | undefined {
  const calls = toolCalls.map(({ providerId, extraContent }) => ({
    ...(providerId !== undefined && { providerId }),
    ...(extraContent !== undefined && { extraContent }),
  }));
  const isPlain = calls.every((call) => Object.keys(call).length === 0) && (reasoning ?? []).length === 0;
  return isPlain ? undefined : { ...(model !== undefined && { model }), calls, ...(reasoning && { reasoning }) };
}

type StoredMessage = Omit<ThreadMessage, 'id' | 'created_at'> & { sent?: SentParts | undefined };

/**
 * Converts the messages of a thread to history, with their stored `sent` parts.
 *
 * @example
 * import type { ThreadMessage } from '@docwright/contract';
 * import { historyOfThread } from '@docwright/agent-core';
 *
 * declare const messages: readonly ThreadMessage[];
 * const history = historyOfThread(messages);
 */
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

/** A message of a conversation that shows only texts. */
interface AnsweredMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Calls, results and texts of an answer, as sent to the model. Absent if the answer failed or was stored before this field existed. */
  readonly sent?: readonly LlmMessage[] | undefined;
}

/**
 * Converts questions and answers to history. An unanswered message gets a note, so that the model does not act later on a
 * request that no user waits for any more.
 *
 * @example
 * import { historyOfAnswers } from '@docwright/agent-core';
 *
 * historyOfAnswers([{ role: 'user', content: 'Add a task.' }]).at(-1)?.content; // 'I could not answer this message.'
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

/**
 * The messages of a turn after the user's message, to store for `historyOfAnswers`. A pending call gets a placeholder
 * result.
 *
 * @example
 * import { messagesForHistory, type TurnResult } from '@docwright/agent-core';
 *
 * declare const result: TurnResult;
 * const sent = messagesForHistory(result.messages);
 */
export function messagesForHistory(messages: readonly LlmMessage[]): LlmMessage[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])));
  return messages.flatMap((message): LlmMessage[] => {
    if (message.role !== 'assistant') return [message];
    const waiting = (message.toolCalls ?? []).filter(({ id }) => !answered.has(id));
    return [message, ...waiting.map(({ id }): LlmMessage => ({ role: 'tool', callId: id, content: pendingResult }))];
  });
}

const pendingResult = JSON.stringify({ status: 'the person was asked' });
