import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter, listParameters } from '../shared/parameters.ts';
import { fieldNames, pageReference, schemaReference } from '../shared/references.ts';

export const getSchema = defineTool({
  name: 'get_schema',
  description: 'Reads one schema revision. Returns its full response_format.',
  effect: 'read',
  documentContent: ['description'],
  parameters: z.object({ schema_revid: idParameter('The revision id (schema_revid, not schema_id).') }),
  summarize: () => 'Read a schema',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_revid }) => {
    const schema = await services.schemas.get(schema_revid);
    const { response_format, checks } = schema;
    return { ...schemaReference(schema), response_format, ...(checks && { checks }) };
  },
});

export const listSchemas = defineTool({
  name: 'list_schemas',
  description: 'Lists the schemas of the organization. Returns the ids, version and field names of each.',
  effect: 'read',
  documentContent: ['description'],
  isFurther: true,
  parameters: z.object(listParameters),
  summarize: () => 'List schemas',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, query) => {
    const { schemas, ...page } = await services.schemas.list(query);
    return {
      schemas: schemas.map((schema) => ({ ...schemaReference(schema), fields: fieldNames(schema, maxFields) })),
      ...pageReference(page),
    };
  },
});

const maxFields = 30;
