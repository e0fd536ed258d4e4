import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { deletePreview, everyPage } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { promptState } from '../shared/object-states.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'prompts' | 'extractions'>;

export const deletePrompt = defineTool({
  name: 'delete_prompt',
  description: 'Deletes a prompt from the organization. It no longer applies to any document.',
  effect: 'delete',
  isFurther: true,
  target: 'prompt_id',
  argumentRoles: {},
  parameters: z.object({ prompt_id: idParameter('The stable id (prompt_id, not prompt_revid).') }),
  summarize: () => 'Delete a prompt',
  preview: async ({ services }: ToolContext<Services>, { prompt_id }) => {
    const { name } = await services.prompts.getCurrent(prompt_id);
    const { document, extractions } = services;
    const results = await everyPage('extractions', (query) => extractions.list(document.id, query));
    const dependents = results
      .filter((extraction) => extraction.prompt_id === prompt_id)
      .map(({ prompt_revid }) => ({ kind: 'extraction', id: prompt_revid, name: document.name }));
    return deletePreview(name, dependents);
  },
  baseline: async ({ services }: ToolContext<Services>, { prompt_id }) => [
    promptState(await services.prompts.getCurrent(prompt_id)),
  ],
  execute: async ({ services, workingState, origin }: ToolContext<Services>, { prompt_id }) => {
    await services.prompts.delete(prompt_id, origin);
    const { prompt_revid } = workingState.get();
    if (prompt_revid !== null && (await services.prompts.get(prompt_revid)).prompt_id === prompt_id) {
      workingState.update({ prompt_revid: null });
    }
    return { prompt_id, deleted: true };
  },
});
