import type { RuleInput } from '../../conversation/conversation.ts';
import { type FieldEdit, fieldEditsIn } from '../../conversation/field-edits.ts';
import { bold } from '../../conversation/markdown.ts';
import { describeRefusal, textIn } from '../../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../../conversation/plan.ts';
import { runExtraction } from '../results/run-extraction.ts';
import { applyFieldEdits, type EditedSchema } from './apply-field-edits.ts';
import { readStoredSchema, type StoredSchema } from './stored-schema.ts';

const maxAttempts = 3;

/** Adds, renames and drops fields of the current schema, links its prompt to the new version and extracts again. */
export function* editSchema(conversation: RuleInput, edits: readonly FieldEdit[]): PlanOfSteps {
  const stored = yield* readStoredSchema(conversation);
  if (typeof stored === 'string') return stored;
  const edited = applyFieldEdits(stored.schema, edits);
  if (edited.done.length === 0) return `I changed nothing: ${edited.failed.join(' ')}`;
  const update = yield* updateSchema(stored, edited);
  if (!update.isChanged) return update.text;

  const { promptRevid } = conversation.workingState;
  if (promptRevid === null) return update.text;
  const prompt = yield* use('get_prompt', { prompt_revid: promptRevid });
  if (prompt.kind !== 'done' || textIn(prompt, 'schema_id') !== stored.schemaId) {
    return `${update.text} The prompt of this conversation does not use it, so I did not extract again.`;
  }
  // The user can move the prompts in the same decision.
  const moved = update.movedPrompts.find(({ prompt_id }) => prompt_id === textIn(prompt, 'prompt_id'));
  if (moved !== undefined) return yield* runExtraction(moved.prompt_revid, update.text);
  const linked = yield* use('update_prompt', { prompt_id: textIn(prompt, 'prompt_id'), schema_id: stored.schemaId });
  if (linked.kind !== 'done') return `${update.text} ${describeRefusal('link the prompt to the new version', linked)}`;
  return yield* runExtraction(textIn(linked, 'prompt_revid'), update.text);
}

interface Update {
  isChanged: boolean;
  text: string;
  /** The prompts that the change has moved to the new version. */
  movedPrompts: readonly MovedPrompt[];
}

interface MovedPrompt {
  prompt_id: string;
  prompt_revid: string;
}

const unchanged = (text: string): Update => ({ isChanged: false, text, movedPrompts: [] });

function movedPromptsIn({ relinked_prompts }: Record<string, unknown>): MovedPrompt[] {
  const moved: unknown[] = Array.isArray(relinked_prompts) ? relinked_prompts : [];
  return moved.filter(
    (each): each is MovedPrompt =>
      typeof each === 'object' && each !== null && 'prompt_id' in each && 'prompt_revid' in each,
  );
}

/** Writes the edited schema. When the reason of a rejection asks for further edits, it adds those and retries. */
function* updateSchema(stored: StoredSchema, start: EditedSchema): BatchSteps<Update> {
  let { schema, done, failed } = start;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (Object.keys(schema.properties).length === 0)
      return unchanged('That would leave the schema without any field, so I changed nothing.');
    const response_format = { type: 'json_schema', json_schema: { ...stored.format, schema } };
    const text = `In ${bold(stored.name)}: ${done.join(', ')}.`;
    const updated = yield* use('update_schema', { schema_id: stored.schemaId, response_format }, text);
    if (updated.kind === 'done') {
      const failures = failed.length > 0 ? ` I could not do all of it: ${failed.join(' ')}` : '';
      const text = `The schema ${bold(stored.name)} is changed: ${done.join(', ')}.${failures}`;
      return { isChanged: true, text, movedPrompts: movedPromptsIn(updated.value) };
    }
    const further = applyFieldEdits(schema, updated.kind === 'rejected' ? fieldEditsIn(updated.reason) : []);
    if (further.done.length === 0) return unchanged(describeRefusal('change the schema', updated));
    schema = further.schema;
    done = [...done, ...further.done];
    failed = [...failed, ...further.failed];
  }
  return unchanged('You rejected each form of the change that I could think of, so the schema stays as it is.');
}
