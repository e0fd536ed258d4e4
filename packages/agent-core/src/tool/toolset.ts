import { z } from 'zod';
import type { LlmTool } from '../llm/llm-client.ts';
import type { Tool } from './tool.ts';

/** The tools of one agent, in the order they were given. */
export interface Toolset<Services> {
  readonly tools: readonly Tool<Services>[];
  /** What the model is told, made once. */
  readonly definitions: readonly LlmTool[];
  get(name: string): Tool<Services> | undefined;
  /** The definitions of some of the tools, in the toolset's order. */
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
  return {
    tools,
    definitions,
    get: (name) => byName.get(name),
    definitionsOf: (isOffered) => definitions.filter((_, at) => isOffered(tools[at]!)),
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
