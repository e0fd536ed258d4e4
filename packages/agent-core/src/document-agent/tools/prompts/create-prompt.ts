import { artifactName, promptContent } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { collisionPreview } from '../shared/changes.ts';
import { idParameter, readingParameters, tagIdsParameter } from '../shared/parameters.ts';
import { promptReference } from '../shared/references.ts';
import { promptsOf } from '../shared/schema-prompts.ts';

type Services = Pick<DocumentAgentServices, 'prompts' | 'schemas'>;

export const createPrompt = defineTool({
  name: 'create_prompt',
  description:
    'Creates an extraction prompt and links it to a schema. In content, say what the documents are and which values are easily confused (labels, number formats). Do not repeat the schema or the pages: both are added to each request. Missing values become null.',
  effect: 'write',
  target: 'new',
  argumentRoles: {
    name: 'content',
    content: 'content',
    schema_id: 'reference',
    schema_version: 'content',
    model: 'setting',
    evidence: 'setting',
    second_read: 'setting',
    machine_map: 'setting',
    tag_ids: 'reference',
  },
  parameters: z.object({
    name: artifactName.describe('The name that people see, for example "Invoice header".'),
    content: promptContent.describe('The instruction, in plain language.'),
    schema_id: idParameter('The schema to link (schema_id, not schema_revid).').optional(),
    schema_version: z.number().int().min(1).optional().describe('A fixed version of the schema. Default: the newest.'),
    model: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('A model from list_llm_models. Default: the default model.'),
    ...readingParameters,
    tag_ids: tagIdsParameter('The prompt applies to documents with one of these tags.').optional(),
  }),
  summarize: ({ name, schema_id, second_read }) =>
    `Create the prompt “${name}”${schema_id ? ', linked to a schema' : ''}${second_read === true ? ', which reads twice at twice the cost' : ''}`,
  preview: ({ services }: ToolContext<Services>, { name }) =>
    collisionPreview(
      name,
      'prompts',
      (query) => services.prompts.list(query),
      (prompt) => prompt.prompt_id,
    ),
  execute: async ({ services, workingState, origin }: ToolContext<Services>, args) => {
    const fresh = args.schema_id === undefined ? await schemaWithoutPrompt(services, workingState.get()) : undefined;
    const prompt = await services.prompts.create({ ...args, ...(fresh && { schema_id: fresh.schema_id }) }, origin);
    workingState.update({ prompt_revid: prompt.prompt_revid });
    const linked = fresh && { linked_schema: `${fresh.name} (created before, used by no prompt)` };
    return { ...promptReference(prompt), ...linked };
  },
});

/**
 * The schema that was worked on last, if no prompt uses it: a call in the same answer cannot know its id yet, and the prompt
 * is meant for it.
 */
async function schemaWithoutPrompt(services: Services, { schema_revid }: { schema_revid: string | null }) {
  if (schema_revid === null) return undefined;
  const schema = await services.schemas.get(schema_revid).catch(() => undefined);
  if (schema === undefined) return undefined;
  return (await promptsOf(services, schema)).length === 0 ? schema : undefined;
}
