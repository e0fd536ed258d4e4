import { parseBoundedJson } from '../llm/json-bounds.ts';
import type { LlmAssistantMessage, LlmMessage } from '../llm/llm-client.ts';
import { trimHistory, type MessageGroup, type TrimmedHistory } from './trimmed-history.ts';
import { newCallId, validName } from '../tool/call-id.ts';

/** Default maximum number of messages in a request, without the system prompt. */
export const historyLimit = 20;

/**
 * Makes any transcript valid for the strictest provider, and trims it (`trimHistory`). Afterwards each assistant message
 * with calls is followed by exactly their results in order, ids are unique, arguments are JSON objects, no message is
 * empty, and the first message is a user's if there is one.
 */
export function prepareHistory(messages: readonly LlmMessage[], limit = historyLimit): TrimmedHistory {
  const exchanges = exchangesOf(messages);
  const first = exchanges.findIndex(([message]) => message?.role === 'user');
  return trimHistory(exchanges.slice(Math.max(0, first)), limit);
}

function exchangesOf(messages: readonly LlmMessage[]): MessageGroup[] {
  const seen = new Set<string>();
  const exchanges: MessageGroup[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user' && hasContent(message)) exchanges.push([message]);
    if (message.role !== 'assistant') continue;
    if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
      exchanges.push(callsAndResults(message, resultsAfter(messages, at), seen));
    } else if (message.content.trim() !== '') {
      exchanges.push([message]);
    }
  }
  return exchanges;
}

function hasContent({ content, images }: Extract<LlmMessage, { role: 'user' }>): boolean {
  return content.trim() !== '' || (images !== undefined && images.length > 0);
}

/** The results right behind an assistant message, by call id. Of several results for a call the first counts. */
function resultsAfter(messages: readonly LlmMessage[], at: number): Map<string, string> {
  const results = new Map<string, string>();
  for (let next = at + 1; ; next++) {
    const message = messages[next];
    if (message?.role !== 'tool') return results;
    if (!results.has(message.callId)) results.set(message.callId, message.content);
  }
}

function callsAndResults(
  message: LlmAssistantMessage,
  results: ReadonlyMap<string, string>,
  seen: Set<string>,
): MessageGroup {
  const answers: LlmMessage[] = [];
  const toolCalls = (message.toolCalls ?? []).map((call) => {
    const id = call.id === '' || seen.has(call.id) ? newCallId() : call.id;
    seen.add(id);
    const content = results.get(call.id) ?? '';
    answers.push({ role: 'tool', callId: id, content: content === '' ? notRun : content });
    return { ...call, id, name: validName(call.name), arguments: validArguments(call.arguments) };
  });
  return [{ ...message, toolCalls }, ...answers];
}

const notRun = JSON.stringify({ error: 'This call was not run.' });

function validArguments(text: string): string {
  try {
    const value: unknown = parseBoundedJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    return '{}';
  }
}
