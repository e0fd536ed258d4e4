import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'prompts' | 'extractions'>;

export const deletePrompt = defineTool({
  name: 'delete_prompt',
  description: 'Deletes a prompt from the organization, so that it no longer applies to any document.',
  effect: 'read_write',
  parameters: z.object({ prompt_id: idParameter('The stable id (prompt_id, not prompt_revid).') }),
  summarize: () => 'Delete a prompt',
  preview: async ({ services }: ToolContext<Services>, { prompt_id }) => {
    const { name, prompt_revid } = await services.prompts.getCurrent(prompt_id);
    const extraction = await services.extractions.latest(services.document.id, prompt_revid);
    const dependents = extraction ? [{ kind: 'extraction', id: prompt_revid, name: services.document.name }] : [];
    return { kind: 'delete', name, dependents };
  },
  execute: async ({ services, workingState, callId }: ToolContext<Services>, { prompt_id }) => {
    await services.prompts.delete(prompt_id, { call_id: callId });
    const { prompt_revid } = workingState.get();
    if (prompt_revid !== null && (await services.prompts.get(prompt_revid)).prompt_id === prompt_id) {
      workingState.update({ prompt_revid: null });
    }
    return { prompt_id, deleted: true };
  },
});
