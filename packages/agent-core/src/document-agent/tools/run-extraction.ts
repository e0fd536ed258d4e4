import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { extractionForModel, keptExtraction } from '../extraction-context.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

export const runExtraction = defineTool({
  name: 'run_extraction',
  description:
    'Extracts values from this document with a prompt and stores them. Costs one model call. Without prompt_revid the prompt of the working state is used, else the newest that applies to the document. The answer holds the values and where they do not fit the schema.',
  effect: 'read_write',
  parameters: z.object({
    prompt_revid: idParameter('The prompt revision (prompt_revid, not prompt_id) to extract with.').optional(),
  }),
  summarize: () => 'Run the extraction on this document',
  execute: async (
    { services, workingState, callId, signal }: ToolContext<Pick<DocumentAgentServices, 'document' | 'extractions'>>,
    { prompt_revid },
  ) => {
    const extraction = await services.extractions.run(
      services.document.id,
      prompt_revid ?? workingState.get().prompt_revid ?? undefined,
      { call_id: callId },
      signal,
    );
    workingState.update({
      extraction: keptExtraction(extraction),
      prompt_revid: extraction.prompt_revid,
      ...(extraction.schema_revid !== undefined && { schema_revid: extraction.schema_revid }),
    });
    return extractionForModel(extraction);
  },
});
