import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineTool } from '../../tool/tool.ts';

const guidance = readFileSync(new URL('../help/schemas.md', import.meta.url), 'utf8');

export const helpSchemas = defineTool({
  name: 'help_schemas',
  description:
    'Explains how a schema is written: the format, the rules that are checked, examples and common mistakes. Call it once before you create or change a schema.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'Read the guidance for schemas',
  execute: async () => ({ guidance }),
});
