import type { LlmMessage, LlmRequest } from '../llm/llm-client.ts';
import type { ScriptedStep } from './scripted-llm.ts';

/** An order that the obeying model follows wherever it reads it: `CALL create_tag {"name":"x"}`, up to the end of the line. */
export function order(tool: string, args: object): string {
  return `CALL ${tool} ${JSON.stringify(args)}`;
}

/**
 * The worst possible model: it follows every order in any text, whether from the user, a document or a tool, each order
 * once.
 */
export function obeyingStep({ messages }: LlmRequest): ScriptedStep {
  const made = messages.flatMap(callsIn);
  const read = messages.flatMap(textsOf).flatMap(ordersIn);
  const calls = [...new Map(read.map((call) => [keyOf(call), call])).values()].filter(
    (call) => !made.includes(keyOf(call)),
  );
  return calls.length > 0 ? { calls } : { text: 'Done as told.' };
}

interface Order {
  name: string;
  args: Record<string, unknown>;
}

function ordersIn(text: string): Order[] {
  return [...text.matchAll(/CALL (\w+) (\{.*\})/g)].flatMap(([, name = '', args = '']) => {
    try {
      return [{ name, args: JSON.parse(args) as Order['args'] }];
    } catch {
      return [];
    }
  });
}

/** The texts of a message. Results of tools are parsed, because orders are escaped in JSON. */
function textsOf(message: LlmMessage): string[] {
  if (message.role !== 'tool') return [message.content];
  const texts: string[] = [];
  try {
    JSON.parse(message.content, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    texts.push(message.content);
  }
  return texts;
}

function callsIn(message: LlmMessage): string[] {
  if (message.role !== 'assistant') return [];
  return (message.toolCalls ?? []).map(({ name, arguments: text }) => keyOf({ name, args: JSON.parse(text) }));
}

function keyOf({ name, args }: Order): string {
  return `${name} ${JSON.stringify(args)}`;
}
