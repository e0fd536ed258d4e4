import type { LlmMessage, LlmRequest } from '../llm/llm-client.ts';
import type { ScriptedStep } from './scripted-llm.ts';

/** Words that this model takes for an order, wherever it reads them: `CALL create_tag {"name":"x"}`, to the line's end. */
export function order(tool: string, args: object): string {
  return `CALL ${tool} ${JSON.stringify(args)}`;
}

/**
 * The worst model there can be: it does whatever any text in front of it says, be it the person's, a document's or a
 * tool's, each order once.
 */
export function obeyingStep({ messages }: LlmRequest): ScriptedStep {
  const made = messages.flatMap(callsMade);
  const read = messages.flatMap(textsOf).flatMap(ordersIn);
  const calls = [...new Map(read.map((call) => [sameness(call), call])).values()].filter(
    (call) => !made.includes(sameness(call)),
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

/** A tool's result is JSON, in which an order stands escaped. */
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

function callsMade(message: LlmMessage): string[] {
  if (message.role !== 'assistant') return [];
  return (message.toolCalls ?? []).map(({ name, arguments: text }) => sameness({ name, args: JSON.parse(text) }));
}

function sameness({ name, args }: Order): string {
  return `${name} ${JSON.stringify(args)}`;
}
