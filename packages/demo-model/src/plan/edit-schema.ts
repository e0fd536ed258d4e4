import { applyFieldEdits } from './apply-field-edits.ts';
import type { Conversation } from './conversation.ts';
import type { FieldEdit } from './field-edits.ts';
import { idOf } from './outcome-id.ts';
import { type Plan, use } from './plan.ts';
import { runExtraction } from './run-extraction.ts';
import { stopped } from './stopped.ts';
import { readStoredSchema } from './stored-schema.ts';

/** Adds, renames and drops fields of the schema that is being worked with, links its prompt to the new version and extracts again. */
export function* editSchema(conversation: Conversation, edits: readonly FieldEdit[]): Plan {
  const stored = yield* readStoredSchema(conversation);
  if (typeof stored === 'string') return stored;
  const { schema, done, failed } = applyFieldEdits(stored.schema, edits);
  const complaint = failed.length > 0 ? `I could not do all of it: ${failed.join(' ')}` : '';
  if (done.length === 0) return `I changed nothing: ${failed.join(' ')}`;
  if (Object.keys(schema.properties).length === 0)
    return 'That would leave the schema without any field, so I changed nothing.';

  const format = { type: 'json_schema', json_schema: { ...stored.format, schema } };
  const checked = yield* use('validate_schema', { schema: JSON.stringify(format) });
  if (checked.kind !== 'done') return stopped('check the schema', checked);
  if (checked.value.valid === false)
    return `The changed schema would not be valid: ${JSON.stringify(checked.value.errors)}. I changed nothing.`;
  const updated = yield* use(
    'update_schema',
    { schema_id: stored.schemaId, response_format: format },
    `In **${stored.name}**: ${done.join(', ')}.`,
  );
  if (updated.kind !== 'done') return stopped('change the schema', updated);
  const words = [`The schema **${stored.name}** is changed: ${done.join(', ')}.`, complaint]
    .filter((part) => part !== '')
    .join(' ');

  const { promptRevid } = conversation.workingState;
  if (promptRevid === null) return words;
  const prompt = yield* use('get_prompt', { prompt_revid: promptRevid });
  if (prompt.kind !== 'done' || idOf(prompt, 'schema_id') !== stored.schemaId)
    return `${words} No prompt that I worked with here uses it, so I ran nothing.`;
  const linked = yield* use('update_prompt', { prompt_id: idOf(prompt, 'prompt_id'), schema_id: stored.schemaId });
  if (linked.kind !== 'done') return `${words} ${stopped('link the prompt to the new version', linked)}`;
  return yield* runExtraction(idOf(linked, 'prompt_revid'), words);
}
