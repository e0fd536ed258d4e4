import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { listParameters } from './list-parameters.ts';
import { schemaReference } from './schema-reference.ts';

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
