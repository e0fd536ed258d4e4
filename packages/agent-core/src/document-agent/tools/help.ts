import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineTool } from '../../tool/tool.ts';

const schemaGuidance = readFileSync(new URL('../help/schemas.md', import.meta.url), 'utf8');

export const helpSchemas = defineTool({
  name: 'help_schemas',
  description:
    'Explains how a schema is written: the format, the rules that are checked, examples and common mistakes. Call it once before you create or change a schema.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'Read the guidance for schemas',
  execute: async () => ({ guidance: schemaGuidance }),
});

const promptGuidance = readFileSync(new URL('../help/prompts.md', import.meta.url), 'utf8');

export const helpPrompts = defineTool({
  name: 'help_prompts',
  description:
    'Explains how an extraction prompt is written, linked to a schema and tied to documents by tags, with common mistakes. Call it once before you create or change a prompt.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'Read the guidance for prompts',
  execute: async () => ({ guidance: promptGuidance }),
});
