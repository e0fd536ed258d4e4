import type { LlmTool } from '../llm-client.ts';
import type { WireMessage } from './message-conversion.ts';

/**
 * The messages for a model whose server takes no `tools`: the tools stand in the system message, calls and results are
 * text. `writtenCalls` reads the calls of the answer.
 */
export function withWrittenTools(messages: readonly WireMessage[], tools: readonly LlmTool[]): WireMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  const described = tools.map((tool) => JSON.stringify(tool.function)).join('\n');
  const rules = `You can call these tools, one a line:\n${described}\nTo call a tool, end your answer with <tool_call>{"name": …, "arguments": {…}}</tool_call>, several times for several calls. The results come in the next message.`;
  const system: WireMessage =
    first.role === 'system'
      ? { ...first, content: `${textOf(first)}\n\n${rules}` }
      : { role: 'system', content: rules };
  return [system, ...(first.role === 'system' ? rest : messages).map(written)];
}

function written({ tool_calls, tool_call_id: _, ...message }: WireMessage): WireMessage {
  if (message.role === 'tool') {
    return { role: 'user', content: `<tool_response>${textOf(message)}</tool_response>` };
  }
  if (tool_calls === undefined) return message;
  const calls = tool_calls.map(
    ({ function: { name, arguments: args } }) =>
      `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${args}}</tool_call>`,
  );
  return { ...message, content: [textOf(message), ...calls].filter((line) => line !== '').join('\n') };
}

function textOf({ content }: WireMessage): string {
  return typeof content === 'string' ? content : '';
}
