import { parseKeepingDigits } from './json-digits.ts';
import { repairedJson } from './repaired-json.ts';
import type { ModelToolCall } from './llm-client.ts';

/** The calls at the end of a text, and the text before them. */
interface WrittenCalls {
  text: string;
  toolCalls: ModelToolCall[];
}

/**
 * Finds tool calls that a model wrote as text, because its server does not understand their form. They must be the end of
 * the answer: calls that an answer quotes are not made. JSON without marks counts only if it names a known tool, or has the
 * name of one in its form; between marks an unknown name counts too, so that the model gets an error for it. What begins
 * as a call and cannot be read is one that never runs.
 */
export function writtenCalls(content: string, isTool: (name: string) => boolean): WrittenCalls | undefined {
  if (content.length > maxLength) return undefined;
  const trimmed = content.trim();
  const marked = taggedCalls(trimmed) ?? listedCalls(trimmed);
  if (marked !== undefined) {
    const before = begunCall(marked.text);
    return before === undefined ? marked : { text: before.text, toolCalls: [...before.toolCalls, ...marked.toolCalls] };
  }
  return bareCall(trimmed, isTool) ?? begunCall(trimmed);
}

/** A whole answer that is the JSON of a call. */
function bareCall(content: string, isTool: (name: string) => boolean): WrittenCalls | undefined {
  const bare = /^(?:```(?:json)?\s*)?(\{[\s\S]*\})(?:\s*```)?$/.exec(content)?.[1];
  const call = bare === undefined ? undefined : callOf(bare);
  // In a fence it can be meant for the person.
  const isCall = call !== undefined && (isTool(call.name) || (bare === content && nameOfTools.test(call.name)));
  if (isCall) return { text: '', toolCalls: [call] };
  const begun = /^\{\s*"name"\s*:\s*"([^"]{1,200})"\s*,\s*"(?:arguments|parameters)"\s*:/.exec(content)?.[1];
  if (call !== undefined || begun === undefined || !isTool(begun) || isJson(content)) return undefined;
  return { text: '', toolCalls: [unreadableCall(content)] };
}

/** Several words in one, as the names of tools are. */
const nameOfTools = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

/** The opening marks of calls, with the beginning of what stands behind each, and their closing marks, if they have one. */
const openings: readonly (readonly [opening: RegExp, closing?: string])[] = [
  [/^[ \t]*<tool_call>\s*(?=\{)/m, '</tool_call>'],
  [/^[ \t]*<function=[\w.-]{1,200}>\s*(?=\{|<parameter)/m, '</function>'],
  [/^[ \t]*\[TOOL_CALLS\]\s*(?=[[{]|[\w.-]{1,200}\s*(?:\[ARGS\]|\{))/m],
  [/^<\|python_tag\|>\s*(?=[\w{])/],
];

/**
 * A call at the end of a text that begins with a mark, at the start of a line and outside of a fence. It runs if its JSON
 * is whole and only the closing mark is absent. With words behind the closing mark it is a quote.
 */
function begunCall(content: string): WrittenCalls | undefined {
  for (const [opening, closing] of openings) {
    const found = opening.exec(content);
    if (found === null) continue;
    const text = content.slice(0, found.index).trimEnd();
    const isInFence = (text.match(/^[ \t]*```/gm) ?? []).length % 2 === 1;
    const inner = content.slice(found.index + found[0].length).replace(/<\|(?:eom_id|eot_id|im_end)\|>$/, '');
    const end = closing === undefined ? -1 : inner.lastIndexOf(closing);
    const isQuote = end < 0 ? endsWithWords(inner) : inner.slice(end + closing!.length).trim() !== '';
    if (isInFence || isQuote) continue;
    const call = end < 0 && !found[0].includes('<function=') ? wholeCall(inner) : undefined;
    return { text, toolCalls: [call ?? unreadableCall(content.slice(found.index))] };
  }
  return undefined;
}

/** Whether something is said behind the last bracket. Behind those of a JSON that was cut off come commas and quotes. */
function endsWithWords(text: string): boolean {
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const behind = text
    .slice(last + 1)
    .trimStart()
    .replace(/^[.,;:]/, '')
    .trimStart();
  return last >= 0 && /^\p{L}/u.test(behind) && !behind.includes('"');
}

/** Only JSON that is one call from its beginning to its end. */
function wholeCall(text: string): ModelToolCall | undefined {
  return isJson(text) ? callOf(text) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Named after the tool that the text names. */
function unreadableCall(text: string): ModelToolCall {
  const named = /<function=([\w.-]{1,200})>|"name"\s*:\s*"([\w.-]{1,200})"/.exec(text);
  return { name: named?.[1] ?? named?.[2] ?? 'unknown_tool', arguments: text, truncated: true, unreadable: true };
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
  const marks = !text.includes(json) && { repaired: true as const };
  if (typeof args === 'string') return { name, arguments: args, ...marks };
  return typeof args === 'object' && args !== null ? { name, arguments: JSON.stringify(args), ...marks } : undefined;
}
