import { promptContent, type Prompt, type Schema } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { applyChange, changeInWords, changesBeside, nothingToChange } from '../shared/changes.ts';
import { differencePreview } from '../shared/changes.ts';
import { idParameter, tagIdsParameter } from '../shared/parameters.ts';
import { promptReference } from '../shared/references.ts';
import { seenPrompt, seenSchema } from '../shared/seen-things.ts';
import { tagNames, tagWords } from '../shared/tag-labels.ts';

type Services = Pick<DocumentAgentServices, 'prompts' | 'schemas' | 'tags'>;

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
    const former = present.schema_revid === undefined ? undefined : await services.schemas.get(present.schema_revid);
    const names = await tagNames(services.tags, [...present.tag_ids, ...(change.tag_ids ?? [])]);
    return differencePreview(
      `Prompt “${present.name}”, version ${present.prompt_version}`,
      readable(present, former, names),
      readable(applyChange(present, change), linked ?? former, names),
    );
  },
  baseline: async ({ services }: ToolContext<Services>, { prompt_id, schema_id }) => [
    seenPrompt(await services.prompts.getCurrent(prompt_id)),
    ...(schema_id === undefined ? [] : [seenSchema(await services.schemas.getCurrent(schema_id))]),
  ],
  execute: async ({ services, workingState, origin }: ToolContext<Services>, { prompt_id, ...change }) => {
    const prompt = await services.prompts.update(prompt_id, change, origin);
    workingState.update({ prompt_revid: prompt.prompt_revid });
    return promptReference(prompt);
  },
});

function readable(prompt: Prompt, schema: Schema | undefined, names: ReadonlyMap<string, string>): string {
  const lines = [
    `Model: ${prompt.model ?? 'default'}`,
    `Schema: ${schema === undefined ? 'none' : `${schema.name}, version ${schema.schema_version}`}`,
    `Tags: ${tagWords(prompt.tag_ids, names)}`,
  ];
  return `${lines.join('\n')}\n\n${prompt.content}`;
}
