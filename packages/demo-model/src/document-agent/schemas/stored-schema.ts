import { z } from 'zod';
import type { Conversation } from '../../conversation/conversation.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type Steps, use } from '../../conversation/plan.ts';
import type { JsonSchema } from '../../fill/schema/json-schema.ts';
import { objectSchema, type ObjectSchema } from '../../propose/propose-schema.ts';
import { chooseListed } from '../items/choose-listed.ts';

export interface StoredSchema {
  schemaId: string;
  name: string;
  /** `json_schema` of the response format without the schema itself. */
  format: Record<string, unknown>;
  schema: ObjectSchema;
}

const shape = z.looseObject({
  schema_id: z.string(),
  name: z.string(),
  response_format: z.looseObject({
    json_schema: z.looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
  }),
});

/**
 * The current schema, otherwise the mentioned or named one, otherwise the only one; or the reason why there is none.
 */
export function* readStoredSchema(conversation: Conversation): Steps<StoredSchema | string> {
  const mentioned = conversation.mentions.find((mention) => mention.type === 'schema')?.id;
  let revid = mentioned ?? conversation.workingState.schemaRevid;
  if (revid === null) {
    const chosen = yield* chooseListed('schemas', conversation);
    if (typeof chosen === 'string') return chosen;
    revid = chosen.revid;
  }
  const outcome = yield* use('get_schema', { schema_revid: revid });
  if (outcome.kind !== 'done') return describeRefusal('read the schema', outcome);
  const parsed = shape.safeParse(outcome.value);
  if (!parsed.success) return 'I could not read the schema: its response format has an unexpected shape.';
  const { schema_id, name, response_format } = parsed.data;
  const { schema, ...format } = response_format.json_schema;
  return {
    schemaId: schema_id,
    name,
    format,
    schema: { ...schema, ...objectSchema(schema.properties as Record<string, JsonSchema>) },
  };
}
