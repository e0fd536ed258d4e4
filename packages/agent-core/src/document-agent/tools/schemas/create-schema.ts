import { artifactName, responseFormat } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { collisionPreview } from '../shared/changes.ts';
import { schemaReference } from '../shared/references.ts';
import { checksParameter, requireValidSchema } from './update-schema.ts';

export const createSchema = defineTool({
  name: 'create_schema',
  description:
    'Creates a schema, checked first. Every object lists all its properties in required and has additionalProperties false; what may be missing is of type ["string","null"]. Fields that documents of this kind share, in snake_case, each with a description of where it stands; dates are strings (YYYY-MM-DD), amounts numbers, rows an array of objects.',
  effect: 'write',
  target: 'new',
  argumentRoles: { name: 'content', response_format: 'content', checks: 'content' },
  parameters: z.object({
    name: artifactName.describe('The name people see, for example "Supplier invoice".'),
    response_format: responseFormat.describe(
      'The whole format: { "type": "json_schema", "json_schema": { "name", "strict": true, "schema" } }.',
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
    return schemaReference(schema);
  },
});
