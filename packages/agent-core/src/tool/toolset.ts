import { z } from 'zod';
import type { LlmTool } from '../llm/llm-client.ts';
import type { Tool } from './tool.ts';

/** The tools of one agent, in the order they were given. */
export interface Toolset<Services> {
  readonly tools: readonly Tool<Services>[];
  /** What the model is told, made once. */
  readonly definitions: readonly LlmTool[];
  get(name: string): Tool<Services> | undefined;
}

/** Throws on two tools of one name. */
export function createToolset<Services>(tools: readonly Tool<Services>[]): Toolset<Services> {
  const byName = new Map<string, Tool<Services>>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Two tools are called ${tool.name}.`);
    byName.set(tool.name, tool);
  }
  const definitions = tools.map(definitionOf);
  return { tools, definitions, get: (name) => byName.get(name) };
}

function definitionOf(tool: Pick<Tool<unknown>, 'name' | 'description' | 'parameters'>): LlmTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: 'input' });
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters } };
}
