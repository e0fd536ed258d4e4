import type { AgentConversationRepository } from './conversation-repository.ts';
import { isAnswered, keptSubAgents } from './answer-under-way.ts';
import type { AnswerUnderWay, ConversationHold } from './hold-repository.ts';
import { summaryWith } from './summary.ts';

export type LeftAnswerRepository = Pick<AgentConversationRepository, 'messages' | 'addMessage' | 'summary' | 'change'>;

const interrupted = 'The server ended while I was answering. What was built until then stays; send a message to go on.';

/** Keeps, as messages, what a process that died in the middle of an answer had come to. */
export async function storeOrphanedAnswer(
  conversations: LeftAnswerRepository,
  hold: ConversationHold,
  left: AnswerUnderWay,
): Promise<void> {
  const { started_at, message, text, tool_calls } = left;
  const messages = await conversations.messages(hold.id);
  if (isAnswered(messages, left)) return;
  if (!messages.some(({ created_at }) => created_at >= started_at)) {
    await conversations.addMessage(hold, { role: 'user', content: message, tool_calls: [], subagents: [] });
  }
  const content = text.trim() === '' ? interrupted : `${text.trim()}\n\n${interrupted}`;
  await conversations.addMessage(hold, {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map(({ tool_name, arguments: given, success, result }) => ({
      tool_name,
      arguments: given,
      result: success === null ? { error: 'The server ended before it was done.' } : result,
    })),
    subagents: keptSubAgents(left),
  });
  await conversations.change(hold, { summary: summaryWith(await conversations.summary(hold), message, content) });
}
