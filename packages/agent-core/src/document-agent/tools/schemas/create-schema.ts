import { artifactName, responseFormat } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { collisionPreview } from '../shared/changes.ts';
import { renamedNote, schemaReference } from '../shared/references.ts';
import { checksParameter, requireValidSchema } from './update-schema.ts';

export const createSchema = defineTool({
  name: 'create_schema',
  description:
    'Validates and creates a schema. Include the fields that all documents of this kind share, in snake_case, each with a description of where it is found. List every property of an object in required and set additionalProperties to false. Give a value that can be missing the type ["string","null"]. Use strings (YYYY-MM-DD) for dates, numbers for amounts and an array of objects for rows.',
  effect: 'write',
  target: 'new',
  argumentRoles: { name: 'content', response_format: 'content', checks: 'content' },
  parameters: z.object({
    name: artifactName.describe('The name that people see, for example "Supplier invoice".'),
    response_format: responseFormat.describe(
      'The complete format: { "type": "json_schema", "json_schema": { "name", "strict": true, "schema" } }.',
    ),
    checks: checksParameter,
  }),
  check: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { response_format, checks }) =>
    requireValidSchema(services, response_format, checks),
  summarize: ({ name, response_format }) => {
    const { properties } = response_format.json_schema.schema;
    const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    return `Create the schema “${name}” with ${fields.length === 1 ? 'the field' : `${fields.length} fields:`} ${fields.slice(0, 12).join(', ')}${fields.length > 12 ? ' …' : ''}`;
  },
  preview: ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { name }) =>
    collisionPreview(
      name,
      'schemas',
      (query) => services.schemas.list(query),
      (schema) => schema.schema_id,
    ),
  execute: async ({ services, workingState, origin }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, args) => {
    const schema = await services.schemas.create(args, origin);
    workingState.update({ schema_revid: schema.schema_revid });
    return { ...schemaReference(schema), ...renamedNote(args.name, schema) };
  },
});
