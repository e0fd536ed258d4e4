import { artifactName, promptContent, type Prompt, type Schema } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { collisionPreview } from '../shared/changes.ts';
import { idParameter, readingParameters, tagIdsParameter } from '../shared/parameters.ts';
import { promptReference, renamedNote } from '../shared/references.ts';
import { schemaWithoutPrompt } from '../shared/schema-prompts.ts';

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
    schema_id: idParameter(
      'The schema to link (schema_id, not schema_revid). Default: the schema created or changed last, also earlier in this answer, if no prompt uses it.',
    ).optional(),
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
    return { ...promptReference(prompt), ...renamedNote(args.name, prompt), ...linkNote(prompt, fresh) };
  },
});

/** Says which schema the prompt got without being asked, or that it has none. */
function linkNote({ schema_id }: Prompt, fresh: Schema | undefined): { linked_schema?: string } {
  if (fresh !== undefined) return { linked_schema: `${fresh.name} (created before, used by no prompt)` };
  if (schema_id !== undefined) return {};
  return { linked_schema: 'none: update_prompt with a schema_id links one' };
}
