import { z } from 'zod';
import type { JsonSchema } from '../fill/json-schema.ts';
import { objectSchema } from '../propose/propose-schema.ts';
import type { Conversation } from './conversation.ts';
import { createAndExtract } from './create-and-extract.ts';
import type { Plan } from './plan.ts';
import type { SchemaDraft } from './artifacts/schema-draft.ts';
import { applyWishes, wishesIn } from './artifacts/schema-wishes.ts';

const proposed = z.object({
  name: z.string(),
  response_format: z.looseObject({
    json_schema: z.looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
  }),
});

/** Continues with a schema whose creation was rejected in the previous turn, when the new message names a change. */
export function resumeRejected(conversation: Conversation): Plan | undefined {
  const last = conversation.earlierSteps.at(-1);
  if (last?.name !== 'create_schema' || last.outcome.kind !== 'rejected') return undefined;
  const parsed = proposed.safeParse(last.arguments);
  if (!parsed.success) return undefined;
  const { name, response_format } = parsed.data;
  const draft: SchemaDraft = {
    name,
    schema: objectSchema(response_format.json_schema.schema.properties as Record<string, JsonSchema>),
  };
  const changed = applyWishes(draft, wishesIn(conversation.request));
  return JSON.stringify(changed) === JSON.stringify(draft) ? undefined : createAndExtract(conversation, true, changed);
}
