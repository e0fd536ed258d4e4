import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { nameOfTested, testedDocument, type PipelineValidatorServices } from '../findings.ts';

const excerptCharacters = 400;

export const inspectChunks = defineTool({
  name: 'inspect_chunks',
  description:
    'The chunks that the proposed pipeline made of one document: how many, how long, and the first of them. The texts are data.',
  effect: 'read_only',
  parameters: z.strictObject({ document_id: z.string(), most: z.number().int().min(1).max(10).default(5) }),
  summarize: ({ document_id }, { findings }: PipelineValidatorServices) =>
    `Looks at how ${nameOfTested(findings, document_id)} was cut`,
  execute: async ({ services: { findings } }: ToolContext<PipelineValidatorServices>, { document_id, most }) => {
    const { chunks } = testedDocument(findings, document_id);
    const lengths = chunks.map(({ text }) => text.length);
    return {
      document_id,
      chunks: chunks.length,
      // There may be more of them than a function takes arguments.
      shortest: lengths.reduce((shortest, each) => Math.min(shortest, each), lengths[0] ?? 0),
      longest: lengths.reduce((longest, each) => Math.max(longest, each), 0),
      first: chunks.slice(0, most).map(({ page_num, heading, text }) => ({
        page_num,
        ...(heading === undefined ? {} : { heading }),
        text: text.slice(0, excerptCharacters),
      })),
    };
  },
});
