import { promptContent, type Prompt } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { applyChange, changeInWords, changesBeside, nothingToChange } from './apply-change.ts';
import { idParameter, tagIdsParameter } from './list-parameters.ts';
import { promptReference } from './prompt-reference.ts';

type Services = Pick<DocumentAgentServices, 'prompts' | 'schemas'>;

export const updatePrompt = defineTool({
  name: 'update_prompt',
  description:
    'Changes a prompt; the change becomes its next revision. What is left out stays. With schema_id the newest version of that schema is linked: call it with the same schema_id after update_schema. Extract again afterwards.',
  effect: 'read_write',
  parameters: z
    .object({
      prompt_id: idParameter('The stable id (prompt_id, not prompt_revid).'),
      content: promptContent.optional().describe('The whole new instruction.'),
      schema_id: idParameter('The schema to link (schema_id, not schema_revid).').optional(),
      tag_ids: tagIdsParameter('All tags the prompt shall carry.').optional(),
      model: z.string().trim().min(1).max(200).optional().describe('One of list_llm_models.'),
    })
    .refine(changesBeside('prompt_id'), nothingToChange),
  summarize: (args) => `Change the prompt’s ${changeInWords(args, 'prompt_id')}`,
  preview: async ({ services }: ToolContext<Services>, { prompt_id, ...change }) => {
    const present = await services.prompts.getCurrent(prompt_id);
    const linked = change.schema_id === undefined ? undefined : await services.schemas.getCurrent(change.schema_id);
    return {
      kind: 'difference',
      title: `Prompt “${present.name}”, version ${present.prompt_version}`,
      before: readable(present),
      after: readable(applyChange(present, { ...change, schema_version: linked?.schema_version })),
    };
  },
  execute: async ({ services, workingState, callId }: ToolContext<Services>, { prompt_id, ...change }) => {
    const prompt = await services.prompts.update(prompt_id, change, { call_id: callId });
    workingState.update({ prompt_revid: prompt.prompt_revid });
    return promptReference(prompt);
  },
});

function readable(prompt: Prompt): string {
  const lines = [
    `Model: ${prompt.model ?? 'default'}`,
    `Schema: ${prompt.schema_id === undefined ? 'none' : `${prompt.schema_id}, version ${prompt.schema_version}`}`,
    `Tags: ${prompt.tag_ids.length === 0 ? 'none' : prompt.tag_ids.join(', ')}`,
  ];
  return `${lines.join('\n')}\n\n${prompt.content}`;
}
