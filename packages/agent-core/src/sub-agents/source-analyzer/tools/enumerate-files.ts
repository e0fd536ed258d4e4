import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { SourceAnalyzerServices } from '../findings.ts';

export const enumerateFiles = defineTool({
  name: 'enumerate_files',
  description:
    'Counts the files of the source by type, with pages and sizes, those that cannot be read, and those that look like copies. Reads none of them.',
  effect: 'read_only',
  parameters: z.strictObject({}),
  summarize: () => 'Counts the files',
  execute: async ({ services: { source, findings } }: ToolContext<SourceAnalyzerServices>) => {
    findings.kinds = await source.kinds();
    findings.problems = await source.problems();
    const total_files = findings.kinds.reduce((sum, { files }) => sum + files, 0);
    const { unreadable, copies } = findings.problems;
    return { total_files, by_extension: findings.kinds, unreadable, possible_copies: copies };
  },
});
