import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { failuresOf, type PipelineValidatorServices } from '../findings.ts';

export const getFailureDetails = defineTool({
  name: 'get_failure_details',
  description:
    'Why documents failed in the dry runs: stage, category and message, with examples. One category, or all.',
  effect: 'read_only',
  parameters: z.strictObject({ category: z.string().max(100).nullish() }),
  summarize: () => 'Looks into what failed',
  execute: async ({ services: { findings } }: ToolContext<PipelineValidatorServices>, { category }) => ({
    categories: failuresOf(findings).filter((each) => !category || each.category === category),
  }),
});
