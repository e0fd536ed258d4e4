import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { extractionForModel, keptExtraction } from '../extraction-context.ts';
import type { DocumentAgentServices } from '../services.ts';
import { currentExtraction } from './current-extraction.ts';
import { idParameter } from './list-parameters.ts';

export const getExtractionResult = defineTool({
  name: 'get_extraction_result',
  description:
    'Reads the present extraction of this document: values, their version, what does not fit the schema, and for each value the page it was found on (match "none": nowhere on the pages).',
  effect: 'read_only',
  worksOnDocument: true,
  parameters: z.object({
    prompt_revid: idParameter(
      'The prompt revision whose result is meant. Leave out for the one last worked with.',
    ).optional(),
  }),
  summarize: () => 'Read the extraction',
  execute: async (context: ToolContext<Pick<DocumentAgentServices, 'document' | 'extractions'>>, { prompt_revid }) => {
    const extraction = await currentExtraction(context, prompt_revid);
    context.workingState.update({ extraction: keptExtraction(extraction), prompt_revid: extraction.prompt_revid });
    return extractionForModel(extraction);
  },
});
