import { z } from 'zod';
import type { LlmTool } from '../llm/llm-client.ts';
import { filledIn } from './fill-ids.ts';
import type { Tool } from './tool.ts';

/** The tools of one agent, in the order they were given. */
export interface Toolset<Services> {
  readonly tools: readonly Tool<Services>[];
  /** What the model is told, made once, when it is first asked for. */
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
  // Made when they are first needed: at a start of the server nobody has asked for them yet.
  let definitions: readonly LlmTool[] | undefined;
  let lean: readonly LlmTool[] | undefined;
  const toolset: Toolset<Services> = {
    tools,
    get definitions() {
      return (definitions ??= tools.map(definitionOf));
    },
    get lean() {
      return (lean ??= withoutRepeats(toolset.definitions.map(leanOf)));
    },
    get: (name) => byName.get(name),
    definitionsOf: (isOffered) => toolset.lean.filter((_, at) => isOffered(tools[at]!)),
  };
  return toolset;
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

/** What a zod object becomes. */
type ObjectSchema = Record<string, unknown> & { properties: Record<string, Record<string, unknown>> };

function leanOf({ type, function: { parameters, ...rest } }: LlmTool): LlmTool {
  const lean = leanSchema(parameters) as ObjectSchema;
  return { type, function: { ...rest, parameters: makesSomething.test(rest.name) ? withoutNulls(lean) : lean } };
}

/** Of what is made, an argument that is left out is as good as null; of what is changed, null takes something away. */
const makesSomething = /^(add|create|list)_/;

function withoutNulls({ properties, ...rest }: ObjectSchema): Record<string, unknown> {
  const told = Object.entries(properties).map(([name, schema]) => {
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
    const { properties, ...rest } = tool.function.parameters as ObjectSchema;
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

/** Keywords under which schemas stand. */
const nested = new Set(['items', 'anyOf', 'oneOf', 'allOf']);

/** A JSON schema, or a list of them, by what it says of shape and meaning; names of properties are never taken for keywords. */
function leanSchema(schema: object): object {
  if (Array.isArray(schema)) return schema.map(leanSchema);
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword !== 'properties') return [keyword, nested.has(keyword) ? leanSchema(value as object) : value];
      const properties = Object.entries(value as Record<string, object>);
      return [
        keyword,
        Object.fromEntries(
          properties
            // What the server gives itself needs no word.
            .filter(([, each]) => describedBy(each).description !== filledIn)
            .map(([name, each]) => [name, withoutWords(name, leanSchema(each))]),
        ),
      ];
    }),
  );
}

/** Parameters whose name says all there is to say. */
const plain = new Set(
  'skip limit name_search schema_id schema_revid prompt_id prompt_revid tag_id page_num name model color'.split(' '),
);

/** Their words say all of their shape, or what stands above shows it; the check of a call tells where it is not kept to. */
const shownElsewhere = new Set(['response_format', 'pipeline', 'updates']);

function describedBy(schema: { description?: unknown }): { description?: unknown } {
  const { description } = schema;
  return description === undefined ? {} : { description };
}

function withoutWords(name: string, schema: object): object {
  if (shownElsewhere.has(name)) return { type: 'object', ...describedBy(schema) };
  if (!plain.has(name)) return schema;
  const { description: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
