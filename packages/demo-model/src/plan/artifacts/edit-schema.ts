import { applyFieldEdits, type EditedSchema } from '../values/apply-field-edits.ts';
import type { Conversation, Outcome } from '../conversation.ts';
import { type FieldEdit, fieldEditsIn } from '../values/field-edits.ts';
import { idOf } from '../outcome-id.ts';
import { type Move, type Plan, use } from '../plan.ts';
import { runExtraction } from '../run-extraction.ts';
import { stopped } from '../stopped.ts';
import { readStoredSchema, type StoredSchema } from './stored-schema.ts';
import { bold } from '../plain-text.ts';

const tries = 3;

/** Adds, renames and drops fields of the current schema, links its prompt to the new version and extracts again. */
export function* editSchema(conversation: Conversation, edits: readonly FieldEdit[]): Plan {
  const stored = yield* readStoredSchema(conversation);
  if (typeof stored === 'string') return stored;
  const edited = applyFieldEdits(stored.schema, edits);
  if (edited.done.length === 0) return `I changed nothing: ${edited.failed.join(' ')}`;
  const words = yield* updateSchema(stored, edited);
  if (!words.isChanged) return words.text;

  const { promptRevid } = conversation.workingState;
  if (promptRevid === null) return words.text;
  const prompt = yield* use('get_prompt', { prompt_revid: promptRevid });
  if (prompt.kind !== 'done' || idOf(prompt, 'schema_id') !== stored.schemaId) {
    return `${words.text} The prompt I worked with here does not use it, so I ran nothing.`;
  }
  const linked = yield* use('update_prompt', { prompt_id: idOf(prompt, 'prompt_id'), schema_id: stored.schemaId });
  if (linked.kind !== 'done') return `${words.text} ${stopped('link the prompt to the new version', linked)}`;
  return yield* runExtraction(idOf(linked, 'prompt_revid'), words.text);
}

interface UpdateWords {
  isChanged: boolean;
  text: string;
}

/**
 * Writes the edited schema, which checks it. When the reason of a rejection names further edits, it adds those and retries.
 */
function* updateSchema(stored: StoredSchema, start: EditedSchema): Generator<Move, UpdateWords, Outcome[]> {
  let { schema, done, failed } = start;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (Object.keys(schema.properties).length === 0)
      return { isChanged: false, text: 'That would leave the schema without any field, so I changed nothing.' };
    const response_format = { type: 'json_schema', json_schema: { ...stored.format, schema } };
    const say = `In ${bold(stored.name)}: ${done.join(', ')}.`;
    const updated = yield* use('update_schema', { schema_id: stored.schemaId, response_format }, say);
    if (updated.kind === 'done') {
      const complaint = failed.length > 0 ? ` I could not do all of it: ${failed.join(' ')}` : '';
      return { isChanged: true, text: `The schema ${bold(stored.name)} is changed: ${done.join(', ')}.${complaint}` };
    }
    const further = applyFieldEdits(schema, updated.kind === 'rejected' ? fieldEditsIn(updated.reason) : []);
    if (further.done.length === 0) return { isChanged: false, text: stopped('change the schema', updated) };
    schema = further.schema;
    done = [...done, ...further.done];
    failed = [...failed, ...further.failed];
  }
  return {
    isChanged: false,
    text: 'You rejected each form of the change that I could think of, so the schema stays as it is.',
  };
}
