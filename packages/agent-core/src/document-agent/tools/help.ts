import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineTool } from '../../tool/tool.ts';

const schemaGuidance = readFileSync(new URL('../help/schemas.md', import.meta.url), 'utf8');

export const helpSchemas = defineTool({
  name: 'help_schemas',
  description: 'Returns rules, examples and common mistakes of schemas. Call it when a schema was refused.',
  effect: 'read',
  isFurther: true,
  parameters: z.object({}),
  summarize: () => 'Read the guidance for schemas',
  execute: async () => ({ guidance: schemaGuidance }),
});

const promptGuidance = readFileSync(new URL('../help/prompts.md', import.meta.url), 'utf8');

export const helpPrompts = defineTool({
  name: 'help_prompts',
  description: 'Returns advice on prompts: what helps, linking to schemas, tags, common mistakes.',
  effect: 'read',
  isFurther: true,
  parameters: z.object({}),
  summarize: () => 'Read the guidance for prompts',
  execute: async () => ({ guidance: promptGuidance }),
});
