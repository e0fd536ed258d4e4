import { jsonObject, type ValidationAnswer } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter } from '../shared/parameters.ts';

export const validateSchema = defineTool({
  name: 'validate_schema',
  description:
    'Checks a schema against the product’s rules without storing it. Call it before create_schema and update_schema. Takes the whole response_format, or the inner schema alone, as a JSON string; answers valid, or errors with their paths.',
  effect: 'read_only',
  parameters: z.object({
    schema: z.string().max(1_000_000).describe('The response_format, or its inner schema, as a JSON string.'),
  }),
  summarize: () => 'Check a schema',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema }) => {
    const { valid, errors } = check(services, schema);
    return valid ? { valid } : { valid, errors };
  },
});

function check(services: Pick<DocumentAgentServices, 'schemas'>, text: string): ValidationAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { valid: false, errors: [{ path: '', message: `This is not JSON: ${(error as SyntaxError).message}` }] };
  }
  return services.schemas.checkFormat(parsed);
}

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
