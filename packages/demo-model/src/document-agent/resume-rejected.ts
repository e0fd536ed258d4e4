import { z } from 'zod';
import type { RuleInput } from '../conversation/conversation.ts';
import type { PlanOfSteps } from '../conversation/plan.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { objectSchema } from '../propose/propose-schema.ts';
import { createAndExtract } from './create-and-extract.ts';
import { responseFormat, type SchemaDraft } from './schemas/schema-draft.ts';
import { applyWishes, wishesIn } from './schemas/schema-wishes.ts';

const createArguments = z.object({
  name: z.string(),
  response_format: responseFormat,
});

/** Continues with a schema whose creation was rejected in the previous turn, when the new message asks for a change. */
export function resumeRejected(conversation: RuleInput): PlanOfSteps | undefined {
  const last = conversation.earlierSteps.at(-1);
  if (last?.name !== 'create_schema' || last.outcome.kind !== 'rejected') return undefined;
  const parsed = createArguments.safeParse(last.arguments);
  if (!parsed.success) return undefined;
  const { name, response_format } = parsed.data;
  const draft: SchemaDraft = {
    name,
    schema: objectSchema(response_format.json_schema.schema.properties as Record<string, FieldSchema>),
  };
  const changed = applyWishes(draft, wishesIn(conversation.request));
  return JSON.stringify(changed) === JSON.stringify(draft) ? undefined : createAndExtract(conversation, true, changed);
}
