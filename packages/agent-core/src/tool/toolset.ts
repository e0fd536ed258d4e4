import { z } from 'zod';
import type { LlmTool } from '../llm/llm-client.ts';
import type { Tool } from './tool.ts';

/** The tools of one agent, in the order they were given. */
export interface Toolset<Services> {
  readonly tools: readonly Tool<Services>[];
  /** What the model is told, made once. */
  readonly definitions: readonly LlmTool[];
  get(name: string): Tool<Services> | undefined;
  /** What a model is sent: the definitions without bounds and patterns, which the check of a call tells where they matter. */
  readonly lean: readonly LlmTool[];
  /** The lean definitions of some of the tools, in the toolset's order. */
  definitionsOf(isOffered: (tool: Tool<Services>) => boolean): readonly LlmTool[];
}

/** Throws on two tools of one name. */
export function createToolset<Services>(tools: readonly Tool<Services>[]): Toolset<Services> {
  const byName = new Map<string, Tool<Services>>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Two tools are called ${tool.name}.`);
    byName.set(tool.name, tool);
  }
  const definitions = tools.map(definitionOf);
  const lean = withoutRepeats(definitions.map(leanOf));
  return {
    tools,
    definitions,
    lean,
    get: (name) => byName.get(name),
    definitionsOf: (isOffered) => lean.filter((_, at) => isOffered(tools[at]!)),
  };
}

function definitionOf(tool: Pick<Tool<unknown>, 'name' | 'description' | 'parameters'>): LlmTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: 'input', override: withoutNoise });
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters } };
}

/** The range of whole numbers that JavaScript counts is no rule of a tool, and each request would carry it. */
function withoutNoise({ jsonSchema }: { jsonSchema: { maximum?: unknown; minimum?: unknown } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function leanOf({ type, function: { parameters, ...rest } }: LlmTool): LlmTool {
  const lean = leanSchema(parameters) as Record<string, unknown>;
  return { type, function: { ...rest, parameters: makesSomething.test(rest.name) ? withoutNulls(lean) : lean } };
}

/** Of what is made, an argument that is left out is as good as null; of what is changed, null takes something away. */
const makesSomething = /^(add|create|list)_/;

function withoutNulls({ properties, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (properties === undefined) return rest;
  const told = Object.entries(properties as Record<string, Record<string, unknown>>).map(([name, schema]) => {
    const { anyOf, ...others } = schema;
    const kept = Array.isArray(anyOf) ? anyOf.filter(({ type }: { type?: unknown }) => type !== 'null') : [];
    return [name, kept.length === 1 ? { ...others, ...(kept[0] as object) } : schema];
  });
  return { ...rest, properties: Object.fromEntries(told) };
}

/** From this length on, a parameter that another tool has as well is described there alone. */
const longParameter = 200;

/** A long parameter that a tool before has under the same name and in the same shape names that tool in its place. */
function withoutRepeats(tools: readonly LlmTool[]): LlmTool[] {
  const first = new Map<string, string>();
  return tools.map((tool) => {
    const { properties, ...rest } = tool.function.parameters as {
      properties?: Record<string, Record<string, unknown>>;
    };
    if (properties === undefined) return tool;
    const told = Object.entries(properties).map(([name, schema]) => {
      const text = JSON.stringify({ name, ...schema, description: '' });
      const known = first.get(text);
      if (known !== undefined)
        return [name, { type: schema['type'], ...itemsOf(schema), description: `As in ${known}.` }];
      if (text.length >= longParameter) first.set(text, tool.function.name);
      return [name, schema];
    });
    const parameters = { ...rest, properties: Object.fromEntries(told) };
    return { ...tool, function: { ...tool.function, parameters } };
  });
}

const bounds = new Set([
  'default',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'format',
  'propertyNames',
  'additionalProperties',
]);

/** Endpoints refuse an array that does not say of what. */
function itemsOf({ items }: Record<string, unknown>): { items?: unknown } {
  return items === undefined ? {} : { items: { type: (items as { type?: unknown }).type } };
}

/** A JSON schema by what it says of shape and meaning; names of properties are never taken for keywords. */
function leanSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(leanSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword !== 'properties')
        return [keyword, /^(items|anyOf|oneOf|allOf)$/.test(keyword) ? leanSchema(value) : value];
      const properties = Object.entries(value as Record<string, unknown>);
      return [
        keyword,
        Object.fromEntries(properties.map(([name, each]) => [name, withoutWords(name, leanSchema(each))])),
      ];
    }),
  );
}

/** Parameters whose name says all there is to say. */
const plain = new Set(
  'skip limit name_search schema_id schema_revid prompt_id prompt_revid tag_id page_num name model color'.split(' '),
);

/** What create_schema says of it in words is its whole shape; the check of a call tells where it is not kept to. */
const formatName = 'response_format';

function describedBy(schema: unknown): { description?: unknown } {
  const { description } = (schema ?? {}) as { description?: unknown };
  return description === undefined ? {} : { description };
}

function withoutWords(name: string, schema: unknown): unknown {
  if (name === formatName) return { type: 'object', ...describedBy(schema) };
  if (!plain.has(name) || typeof schema !== 'object' || schema === null) return schema;
  const { description: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
