import { parseKeepingDigits } from '../llm/json-digits.ts';
import type { LlmTool, ModelToolCall } from '../llm/llm-client.ts';

/** The tool that calls further tools. Requests carry one line for each of them, because most conversations need none. */
export const furtherToolsName = 'use_tool';

/** The definition of `use_tool`. Each further tool is listed with its signature and first sentence. */
export function furtherToolsDefinition(tools: readonly LlmTool[]): LlmTool {
  const lines = tools.map(
    ({ function: { name, description, parameters } }) =>
      `- ${name}(${argumentsOf(parameters)}): ${firstSentence(description)}`,
  );
  return {
    type: 'function',
    function: {
      name: furtherToolsName,
      description: `Calls one of these tools by its name, with its arguments:\n${lines.join('\n')}`,
      parameters: {
        type: 'object',
        required: ['name', 'arguments'],
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      },
    },
  };
}

/** The first sentence of a description, which is enough to choose a tool or a plugin. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/u.exec(text)?.[0] ?? text;
}

/** Replaces a call of `use_tool` by the call that it wraps, so that users, rules and records see the tool itself. */
export function unwrapCall(call: ModelToolCall): ModelToolCall {
  if (call.name !== furtherToolsName || call.truncated === true) return call;
  const { name, arguments: given = {} } = objectOf(call.arguments);
  if (typeof name !== 'string' || name === furtherToolsName) return call;
  return { ...call, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return (parseKeepingDigits(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

interface Shape {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: readonly string[];
}

/** The arguments in a signature, for example `name, tag_ids?: string[]`. The type `string` is omitted. */
function argumentsOf({ properties = {}, required = [] }: Shape): string {
  return Object.entries(properties)
    .map(([name, shape]) => {
      const type = typeOf(shape);
      return `${name}${required.includes(name) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
    })
    .join(', ');
}

function typeOf({ type, enum: values, anyOf, items, properties, required = [] }: Shape): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join('|');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join('|');
  if (type === 'array') return `${typeOf(items ?? {})}[]`;
  if (type === 'object' && properties !== undefined) return `{${argumentsOf({ properties, required })}}`;
  return type ?? 'any';
}
