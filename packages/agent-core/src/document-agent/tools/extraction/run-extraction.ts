import { DomainError, type Prompt } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { extractionForModel, keptExtraction } from '../../context/extraction-context.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter } from '../shared/parameters.ts';
import { seenExtraction, seenPrompt } from '../shared/seen-things.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'prompts' | 'extractions'>;

export const runExtraction = defineTool({
  name: 'run_extraction',
  description:
    'Extracts values from this document with a prompt and stores them. Costs one model call. Without prompt_revid the prompt of the working state is used, else the newest that applies to the document. The answer holds the values and where they do not fit the schema.',
  effect: 'read_write',
  worksOnDocument: true,
  parameters: z.object({
    prompt_revid: idParameter('The prompt revision (prompt_revid, not prompt_id) to extract with.').optional(),
  }),
  summarize: () => 'Run the extraction on this document',
  baseline: async ({ services, workingState }: ToolContext<Services>, args) => {
    const { document, prompts, extractions } = services;
    const prompt = await promptToRun(services, args.prompt_revid ?? workingState.get().prompt_revid ?? undefined);
    const extraction = await extractions.latest(document.id, prompt.prompt_revid);
    return [
      seenExtraction(document, prompt.prompt_revid, extraction),
      seenPrompt(await prompts.getCurrent(prompt.prompt_id)),
    ];
  },
  execute: async ({ services, workingState, origin, signal }: ToolContext<Services>, { prompt_revid }) => {
    const extraction = await services.extractions.run(
      services.document.id,
      prompt_revid ?? workingState.get().prompt_revid ?? undefined,
      origin,
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

async function promptToRun({ document, prompts }: Services, prompt_revid: string | undefined): Promise<Prompt> {
  const prompt = await (prompt_revid === undefined ? prompts.defaultFor(document.id) : prompts.get(prompt_revid));
  if (prompt) return prompt;
  throw new DomainError('invalid', 'no_prompt', 'No prompt applies to this document.');
}
