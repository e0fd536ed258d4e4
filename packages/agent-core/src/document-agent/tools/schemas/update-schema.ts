import { artifactName, responseFormat, type Schema } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { applyChange, changeInWords, changesBeside, nothingToChange } from '../shared/changes.ts';
import { differencePreview } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { schemaOutline } from './schema-outline.ts';
import { schemaReference } from '../shared/references.ts';
import { seenSchema } from '../shared/seen-things.ts';

export const updateSchema = defineTool({
  name: 'update_schema',
  description:
    'Changes a schema: a new response_format becomes its next revision, a name alone renames it. Send the whole response_format, not a part. Call validate_schema first. Prompts go on using the revision they link until they are updated.',
  effect: 'read_write',
  parameters: z
    .object({
      schema_id: idParameter('The stable id (schema_id, not schema_revid).'),
      name: artifactName.optional().describe('The new name, where it shall change.'),
      response_format: responseFormat.optional().describe('The whole new format.'),
    })
    .refine(changesBeside('schema_id'), nothingToChange),
  summarize: (args) => `Change the schema’s ${changeInWords(args, 'schema_id')}`,
  preview: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_id, ...change }) => {
    const present = await services.schemas.getCurrent(schema_id);
    const title = `Schema “${present.name}”, version ${present.schema_version}`;
    return differencePreview(title, readable(present), readable(applyChange(present, change)));
  },
  baseline: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_id }) => [
    seenSchema(await services.schemas.getCurrent(schema_id)),
  ],
  execute: async (
    { services, workingState, origin }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>,
    { schema_id, ...change },
  ) => {
    const schema = await services.schemas.update(schema_id, change, origin);
    workingState.update({ schema_revid: schema.schema_revid });
    return schemaReference(schema);
  },
});

function readable({ name, response_format }: Schema): string {
  return `Name: ${name}\n${schemaOutline(response_format)}`;
}
