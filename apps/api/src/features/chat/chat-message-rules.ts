import { historyOf } from '@docwright/agent-core';
import { DomainError, type ChatBody } from '@docwright/contract';
import type { NewThreadMessage } from '../threads/thread-repository.ts';

/** What the shape of a chat body cannot say. Throws a DomainError of kind `invalid`. */
export function checkChatBody(body: ChatBody, isTool: (name: string) => boolean): void {
  if (body.auto_approve && !body.stream) {
    throw invalid(
      'auto_approve_needs_stream',
      'auto_approve: true needs stream: true, since such a turn may run long.',
    );
  }
  const unknown = body.auto_approved_tools.find((name) => !isTool(name));
  if (unknown !== undefined) throw invalid('unknown_tool', `auto_approved_tools names no tool "${unknown}".`);
  if (body.truncate_thread_to_message_count !== undefined && body.thread_id === undefined) {
    throw invalid('thread_id_missing', 'truncate_thread_to_message_count needs the thread_id of the thread to cut.');
  }
  const last = body.messages.at(-1);
  if (last?.role !== 'user' || (last.content ?? '').trim() === '') {
    throw invalid('last_message_not_user', 'The last message has the role "user" and says something.');
  }
}

/** Whoever asks to keep more than there is has another thread in mind than the one that is stored. */
export function requireToBeCut(count: number, stored: number): void {
  if (count <= stored) return;
  throw invalid(
    'thread_shorter',
    `The thread has ${stored} messages, so that truncate_thread_to_message_count takes 0 to ${stored}. Read the thread again.`,
  );
}

/** The messages of a request as the thread keeps them; the mentions stand with the last one. Their calls are text. */
export function newThreadMessages({ messages, mentions = [] }: ChatBody): NewThreadMessage[] {
  return historyOf(messages).flatMap((message, index): NewThreadMessage[] => {
    const { content } = message;
    if (message.role === 'tool') return [{ role: 'tool', tool_call_id: message.callId, content }];
    if (message.role === 'assistant') {
      const tool_calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
        id,
        name,
        arguments: args,
      }));
      return [{ role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) }];
    }
    if (message.role === 'system') return [];
    const isLast = index === messages.length - 1;
    return [{ role: 'user', content, ...(isLast && mentions.length > 0 && { mentions }) }];
  });
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
