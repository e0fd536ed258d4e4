import { jsonObject } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

export const validateAgainstSchema = defineTool({
  name: 'validate_against_schema',
  description: 'Checks data against a stored schema revision. Answers valid, or errors with their paths.',
  effect: 'read_only',
  parameters: z.object({
    schema_revid: idParameter('The revision id (schema_revid, not schema_id).'),
    data: jsonObject.describe('The data, in the shape of the schema.'),
  }),
  summarize: () => 'Check data against a schema',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_revid, data }) =>
    services.schemas.checkData(schema_revid, data),
});
