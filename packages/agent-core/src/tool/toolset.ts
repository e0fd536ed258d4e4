import { z } from 'zod';
import type { LlmTool } from '../llm/llm-client.ts';
import { filledInDescription } from './fill-ids.ts';
import type { Tool } from './tool.ts';

/** The tools of one agent, in a fixed order. */
export interface Toolset<Services> {
  readonly tools: readonly Tool<Services>[];
  /** The complete definitions, with bounds and patterns. */
  readonly definitions: readonly LlmTool[];
  get(name: string): Tool<Services> | undefined;
  /** The definitions for requests, without bounds and patterns: the check of a call reports violations. */
  readonly lean: readonly LlmTool[];
  /** The lean definitions of some of the tools, in the toolset's order. */
  definitionsOf(isOffered: (tool: Tool<Services>) => boolean): readonly LlmTool[];
}

/**
 * Creates a toolset. Throws if two tools have the same name.
 *
 * @example
 * import { z } from 'zod';
 * import { createToolset, defineTool } from '@docwright/agent-core';
 *
 * const readNote = defineTool({
 *   name: 'read_note',
 *   description: 'Reads a note.',
 *   effect: 'read',
 *   parameters: z.object({}),
 *   execute: async () => ({ text: 'Call the bank.' }),
 * });
 * createToolset([readNote]).get('read_note')?.effect; // 'read'
 */
export function createToolset<Services>(tools: readonly Tool<Services>[]): Toolset<Services> {
  const byName = new Map<string, Tool<Services>>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Two tools are called ${tool.name}.`);
    byName.set(tool.name, tool);
  }
  // Built on first use, to keep the start of the server fast.
  let definitions: readonly LlmTool[] | undefined;
  let lean: readonly LlmTool[] | undefined;
  const toolset: Toolset<Services> = {
    tools,
    get definitions() {
      return (definitions ??= tools.map(definitionOf));
    },
    get lean() {
      return (lean ??= withoutRepeats(toolset.definitions.map((definition, at) => leanOf(definition, tools[at]!))));
    },
    get: (name) => byName.get(name),
    definitionsOf: (isOffered) => toolset.lean.filter((_, at) => isOffered(tools[at]!)),
  };
  return toolset;
}

function definitionOf(tool: Pick<Tool<unknown>, 'name' | 'description' | 'parameters'>): LlmTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, {
    io: 'input',
    override: removeSafeIntegerBounds,
  });
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters } };
}

/** Removes the bounds that zod adds to every integer: they are no rule of a tool, and each request would carry them. */
function removeSafeIntegerBounds({ jsonSchema }: { jsonSchema: { maximum?: unknown; minimum?: unknown } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** The JSON schema of a zod object. */
type ObjectSchema = Record<string, unknown> & { properties: Record<string, Record<string, unknown>> };

function leanOf({ type, function: { parameters, ...rest } }: LlmTool, tool: Traits): LlmTool {
  const lean = leanSchema(parameters) as ObjectSchema;
  return { type, function: { ...rest, parameters: treatsNullAsAbsent(tool) ? withoutNulls(lean) : lean } };
}

type Traits = Pick<Tool<unknown>, 'effect' | 'target'>;

/** Whether an omitted argument means the same as null. For tools that change an object, null removes a value. */
const treatsNullAsAbsent = ({ effect, target }: Traits): boolean => effect === 'read' || target === 'new';

function withoutNulls({ properties, ...rest }: ObjectSchema): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const { anyOf, ...others } = schema;
    const options = Array.isArray(anyOf) ? anyOf.filter(({ type }: { type?: unknown }) => type !== 'null') : [];
    return [name, options.length === 1 ? { ...others, ...(options[0] as object) } : schema];
  });
  return { ...rest, properties: Object.fromEntries(entries) };
}

/** Length of the JSON from which a parameter that several tools share is described only once. */
const longParameter = 200;

/** Describes a long parameter only in the first tool that has it; other tools refer to that tool. */
function withoutRepeats(tools: readonly LlmTool[]): LlmTool[] {
  const first = new Map<string, string>();
  return tools.map((tool) => {
    const { properties, ...rest } = tool.function.parameters as ObjectSchema;
    const entries = Object.entries(properties).map(([name, schema]) => {
      const text = JSON.stringify({ name, ...schema, description: '' });
      const known = first.get(text);
      if (known !== undefined)
        return [name, { type: schema['type'], ...itemsOf(schema), description: `As in ${known}.` }];
      if (text.length >= longParameter) first.set(text, tool.function.name);
      return [name, schema];
    });
    const parameters = { ...rest, properties: Object.fromEntries(entries) };
    return { ...tool, function: { ...tool.function, parameters } };
  });
}

const omittedKeywords = new Set([
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

/** The item type of an array: endpoints refuse an array without `items`. */
function itemsOf({ items }: Record<string, unknown>): { items?: unknown } {
  return items === undefined ? {} : { items: { type: (items as { type?: unknown }).type } };
}

/** Keywords whose values are schemas. */
const schemaKeywords = new Set(['items', 'anyOf', 'oneOf', 'allOf']);

/** Reduces a JSON schema, or a list of them, to shape and descriptions. Property names are not treated as keywords. */
function leanSchema(schema: object): object {
  if (Array.isArray(schema)) return schema.map(leanSchema);
  const kept = Object.entries(schema).filter(([keyword]) => !omittedKeywords.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword !== 'properties') return [keyword, schemaKeywords.has(keyword) ? leanSchema(value as object) : value];
      const properties = Object.entries(value as Record<string, object>);
      return [
        keyword,
        Object.fromEntries(
          properties
            // The server fills these in.
            .filter(([, each]) => descriptionOf(each).description !== filledInDescription)
            .map(([name, each]) => [name, withoutDescription(name, leanSchema(each))]),
        ),
      ];
    }),
  );
}

/** Parameters that need no description. */
const selfExplanatory = new Set(
  'skip limit name_search schema_id schema_revid prompt_id prompt_revid tag_id page_num name model color'.split(' '),
);

/** Parameters whose shape their description or the prompt explains. The check of a call reports violations. */
const shownElsewhere = new Set(['response_format', 'pipeline', 'updates']);

function descriptionOf(schema: { description?: unknown }): { description?: unknown } {
  const { description } = schema;
  return description === undefined ? {} : { description };
}

function withoutDescription(name: string, schema: object): object {
  if (shownElsewhere.has(name)) return { type: 'object', ...descriptionOf(schema) };
  if (!selfExplanatory.has(name)) return schema;
  const { description: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
