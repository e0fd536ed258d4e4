import type { Prompt, ResponseFormat, Schema, Tag } from '@docwright/contract';
import type { TestApp } from './test-app.ts';
import type { TestClient } from './test-client.ts';

/** A response format of string fields. */
export function objectSchema(properties: Record<string, object>): ResponseFormat {
  return {
    type: 'json_schema',
    json_schema: {
      name: 'kind',
      strict: true,
      schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
    },
  };
}

/** Creates a pending schema and a pending prompt with a tag, as a headless run does. */
export async function pendingRecords(
  { services }: Pick<TestApp, 'services'>,
  { organizationId, userId, post }: Pick<TestClient, 'organizationId' | 'userId' | 'post'>,
  name: string,
): Promise<{ schema: Schema; prompt: Prompt; tag: Tag }> {
  const actor = { organizationId, userId, role: 'member' as const };
  const { body: tag } = await post<Tag>('./tags', { name: 'Kind' });
  const origin = (call_id: string) => ({ call_id: `${call_id}-${organizationId}`, for_review: true as const });
  const response_format = objectSchema({ total: { type: ['string', 'null'] } });
  const schema = await services.schemas(actor).create({ name, response_format }, origin('schema'));
  const { schema_id } = schema;
  const body = { name, content: 'Take the total.', schema_id, tag_ids: [tag.tag_id] };
  return { schema, prompt: await services.prompts(actor).create(body, origin('prompt')), tag };
}
