import { createInMemoryDocumentServices } from './in-memory-document-services.ts';

export const formatOf = (field: string) => ({
  type: 'json_schema' as const,
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: {
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
      additionalProperties: false,
    },
  },
});

/** An organization with a schema, a prompt, tags and an extraction. */
export async function createStockedOrganization(options: Parameters<typeof createInMemoryDocumentServices>[0] = {}) {
  const services = createInMemoryDocumentServices(options);
  const origin = (call_id: string) => ({ call_id });
  const schema = await services.schemas.create(
    { name: 'Invoice', response_format: formatOf('total') },
    origin('schema'),
  );
  const prompt = await services.prompts.create(
    { name: 'Invoice', content: 'Read the total.', schema_id: schema.schema_id },
    origin('prompt'),
  );
  const unused = await services.schemas.create({ name: 'Payroll', response_format: formatOf('total') }, origin('u'));
  const tag = await services.tags.create({ name: 'invoice' }, origin('tag'));
  const obsolete = await services.tags.create({ name: 'Obsolete' }, origin('obsolete'));
  const { signal } = new AbortController();
  const extraction = await services.extractions.run(services.document.id, prompt.prompt_revid, origin('run'), signal);
  return { services, schema, prompt, unused, tag, obsolete, extraction };
}
