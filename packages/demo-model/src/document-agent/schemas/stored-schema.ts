import { z } from 'zod';
import type { RuleInput } from '../../conversation/conversation.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type BatchSteps, use } from '../../conversation/plan.ts';
import type { FieldSchema } from '../../fill/schema/json-schema.ts';
import { objectSchema, type ObjectSchema } from '../../propose/propose-schema.ts';
import { chooseListed } from '../items/choose-listed.ts';
import { responseFormat } from './schema-draft.ts';

export interface StoredSchema {
  schemaId: string;
  name: string;
  /** `json_schema` of the response format without the schema itself. */
  format: Record<string, unknown>;
  schema: ObjectSchema;
}

const getSchemaResult = z.looseObject({
  schema_id: z.string(),
  name: z.string(),
  response_format: responseFormat,
});

/** The mentioned schema, otherwise the current one, otherwise one that `chooseListed` finds; or a message when there is none. */
export function* readStoredSchema(conversation: RuleInput): BatchSteps<StoredSchema | string> {
  const mentioned = conversation.mentions.find((mention) => mention.type === 'schema')?.id;
  let revid = mentioned ?? conversation.workingState.schemaRevid;
  if (revid === null) {
    const chosen = yield* chooseListed('schemas', conversation);
    if (typeof chosen === 'string') return chosen;
    revid = chosen.revid;
  }
  const outcome = yield* use('get_schema', { schema_revid: revid });
  if (outcome.kind !== 'done') return describeRefusal('read the schema', outcome);
  const parsed = getSchemaResult.safeParse(outcome.value);
  if (!parsed.success) return 'I could not read the schema: its response format has an unexpected shape.';
  const { schema_id, name, response_format } = parsed.data;
  const { schema, ...format } = response_format.json_schema;
  return {
    schemaId: schema_id,
    name,
    format,
    schema: { ...schema, ...objectSchema(schema.properties as Record<string, FieldSchema>) },
  };
}
