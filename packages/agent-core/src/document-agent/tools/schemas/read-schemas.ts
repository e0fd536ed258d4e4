import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter, listParameters } from '../shared/parameters.ts';
import { schemaReference } from '../shared/references.ts';

export const getSchema = defineTool({
  name: 'get_schema',
  description: 'Reads one schema revision in full, with its response_format.',
  effect: 'read_only',
  parameters: z.object({ schema_revid: idParameter('The revision id (schema_revid, not schema_id).') }),
  summarize: () => 'Read a schema',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_revid }) =>
    services.schemas.get(schema_revid),
});

export const listSchemas = defineTool({
  name: 'list_schemas',
  description:
    'Lists the schemas of the organization, the newest revision of each, with ids and versions. get_schema reads one in full.',
  effect: 'read_only',
  parameters: z.object(listParameters),
  summarize: () => 'List schemas',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, query) => {
    const { schemas, total_count, skip, limit } = await services.schemas.list(query);
    return { schemas: schemas.map(schemaReference), total_count, skip, limit };
  },
});
