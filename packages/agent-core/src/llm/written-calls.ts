import { repairedJson } from './repaired-json.ts';
import type { ModelToolCall } from './llm-client.ts';

/** The calls at the end of a text, and the text before them. */
interface WrittenCalls {
  text: string;
  toolCalls: ModelToolCall[];
}

/**
 * Finds tool calls that a model wrote as text, because its server does not understand their form. They must be the end of
 * the answer: calls that an answer quotes are not made. JSON without marks counts only if it names a known tool; between
 * marks an unknown name counts too, so that the model gets an error for it.
 */
export function writtenCalls(content: string, isTool: (name: string) => boolean): WrittenCalls | undefined {
  if (content.length > maxLength) return undefined;
  const trimmed = content.trim();
  const marked = taggedCalls(trimmed) ?? listedCalls(trimmed);
  if (marked !== undefined) return marked;
  const bare = /^(?:```(?:json)?\s*)?(\{[\s\S]*\})(?:\s*```)?$/.exec(trimmed)?.[1];
  const call = bare === undefined ? undefined : callOf(bare);
  return call !== undefined && isTool(call.name) ? { text: '', toolCalls: [call] } : undefined;
}

const maxLength = 200_000;
const maxCalls = 50;

/** `<tool_call>{…}</tool_call>` of Hermes and Qwen, `<function=name>{…}</function>` of Llama. */
function taggedCalls(content: string): WrittenCalls | undefined {
  const toolCalls: ModelToolCall[] = [];
  let text = content;
  while (toolCalls.length < maxCalls) {
    const closing = ['</tool_call>', '</function>'].find((mark) => text.endsWith(mark));
    if (closing === undefined) break;
    const start = text.lastIndexOf(closing === '</function>' ? '<function=' : '<tool_call>');
    if (start < 0) break;
    const inner = text.slice(start, -closing.length);
    const named = /^<function=([\w.-]{1,200})>([\s\S]*)$/.exec(inner);
    const call = named
      ? { name: named[1]!, arguments: named[2]!.trim() || '{}' }
      : callOf(inner.slice('<tool_call>'.length));
    if (call === undefined) break;
    toolCalls.unshift(call);
    text = text.slice(0, start).trimEnd();
  }
  return toolCalls.length === 0 ? undefined : { text, toolCalls };
}

/** `[TOOL_CALLS] [{…}, {…}]` of Mistral. */
function listedCalls(content: string): WrittenCalls | undefined {
  const mark = '[TOOL_CALLS]';
  const start = content.lastIndexOf(mark);
  if (start < 0) return undefined;
  try {
    const list = parseKeepingDigits(content.slice(start + mark.length));
    if (!Array.isArray(list)) return undefined;
    const toolCalls = list.slice(0, maxCalls).map((item) => callOf(JSON.stringify(item)));
    if (toolCalls.length === 0 || toolCalls.includes(undefined)) return undefined;
    return { text: content.slice(0, start).trimEnd(), toolCalls: toolCalls as ModelToolCall[] };
  } catch {
    return undefined;
  }
}

/** `{ "name": …, "arguments" | "parameters": … }`; undefined for any other JSON. */
function callOf(text: string): ModelToolCall | undefined {
  const json = repairedJson(text);
  if (json === undefined) return undefined;
  const { name, ...rest } = parseKeepingDigits(json) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.length > 200) return undefined;
  const [key, ...others] = Object.keys(rest).filter((each) => each !== 'id' && each !== 'type');
  if (others.length > 0 || (key !== 'arguments' && key !== 'parameters')) return undefined;
  const args = rest[key];
  if (typeof args === 'string') return { name, arguments: args };
  return typeof args === 'object' && args !== null ? { name, arguments: JSON.stringify(args) } : undefined;
}

/** Parses JSON so that `JSON.stringify` writes each number with the digits that it had. */
function parseKeepingDigits(text: string): unknown {
  return keeping.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? keeping.rawJSON(source) : value,
  );
}

/** TypeScript does not know these yet. */
const keeping = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
};
