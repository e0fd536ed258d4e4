import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { mostSampled, type SourceAnalyzerServices } from '../findings.ts';

export const sampleFiles = defineTool({
  name: 'sample_files',
  description: 'Chooses files spread over all types of the source. Only sampled files can be looked at.',
  effect: 'read_only',
  parameters: z.strictObject({ most: z.number().int().min(1).max(mostSampled).default(12) }),
  summarize: () => 'Chooses files to look at',
  execute: async ({ services: { source, findings } }: ToolContext<SourceAnalyzerServices>, { most }) => {
    const files = await source.sample(most);
    for (const file of files) if (findings.sampled.size < mostSampled) findings.sampled.set(file.document_id, file);
    return { files: [...findings.sampled.values()] };
  },
});
