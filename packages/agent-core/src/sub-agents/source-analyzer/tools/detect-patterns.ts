import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { sampledFile, type SourceAnalyzerServices } from '../findings.ts';
import { readPatterns } from '../read-patterns.ts';

const readCharacters = 8000;

export const detectPatterns = defineTool({
  name: 'detect_patterns',
  description:
    'What sampled files look like: the type of document, headings, tables, amounts. All of the sample where no ids are given.',
  effect: 'read_only',
  parameters: z.strictObject({ document_ids: z.array(z.string()).min(1).max(30).nullish() }),
  summarize: ({ document_ids }, { findings }: SourceAnalyzerServices) =>
    `Looks at the kind of ${document_ids?.length ?? findings.sampled.size} files`,
  execute: async ({ services: { source, findings } }: ToolContext<SourceAnalyzerServices>, { document_ids }) => {
    const ids = document_ids ?? [...findings.sampled.keys()];
    for (const id of ids) {
      const { extension } = sampledFile(findings, id);
      findings.patterns.set(id, readPatterns(await source.text(id, readCharacters), extension));
    }
    return { files: ids.map((document_id) => ({ document_id, ...findings.patterns.get(document_id) })) };
  },
});
