import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

export const getSchema = defineTool({
  name: 'get_schema',
  description: 'Reads one schema revision in full, with its response_format.',
  effect: 'read_only',
  parameters: z.object({ schema_revid: idParameter('The revision id (schema_revid, not schema_id).') }),
  summarize: () => 'Read a schema',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_revid }) =>
    services.schemas.get(schema_revid),
});
