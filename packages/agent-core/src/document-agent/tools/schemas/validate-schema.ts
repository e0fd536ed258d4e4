import { jsonObject, reasonNotStorable, type ValidationAnswer } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter } from '../shared/parameters.ts';

export const validateSchema = defineTool({
  name: 'validate_schema',
  description:
    'Validates a schema and stores nothing. Takes a response_format, or its inner schema, as an object or a JSON string. Not needed before create_schema or update_schema, which validate too.',
  effect: 'read',
  isFurther: true,
  parameters: z.object({
    schema: z
      .union([z.string().max(1_000_000), z.record(z.string(), z.unknown())])
      .describe('The response_format, or its inner schema.'),
  }),
  summarize: () => 'Check a schema',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema }) => {
    const { valid, errors } =
      typeof schema === 'string' ? check(services, schema) : services.schemas.checkFormat(schema);
    return valid ? { valid } : { valid, errors };
  },
});

export const validateAgainstSchema = defineTool({
  name: 'validate_against_schema',
  description: 'Validates data against a stored schema revision. Returns valid: true, or the errors with their paths.',
  effect: 'read',
  isFurther: true,
  parameters: z.object({
    schema_revid: idParameter('The revision id (schema_revid, not schema_id).'),
    data: jsonObject.describe('The data to validate.'),
  }),
  summarize: () => 'Check data against a schema',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'schemas'>>, { schema_revid, data }) =>
    services.schemas.checkData(schema_revid, data),
});

function check(services: Pick<DocumentAgentServices, 'schemas'>, text: string): ValidationAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { valid: false, errors: [{ path: '', message: `This is not JSON: ${(error as SyntaxError).message}` }] };
  }
  const reason = reasonNotStorable(parsed);
  return reason === undefined
    ? services.schemas.checkFormat(parsed)
    : { valid: false, errors: [{ path: '', message: reason }] };
}
