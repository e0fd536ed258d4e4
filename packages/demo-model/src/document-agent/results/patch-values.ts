import type { RuleInput } from '../../conversation/conversation.ts';
import { bold } from '../../conversation/markdown.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../../conversation/plan.ts';
import { describeField } from '../../fill/schema/field.ts';
import { type FieldSchema, resolveSchema, typesOf } from '../../fill/schema/json-schema.ts';
import { numberFrom } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import { readResult } from './extraction-result.ts';
import type { ValueEdit } from './value-edits.ts';
import { leavesOf, pathFor, type Scalar } from './value-paths.ts';

/** Writes the user's values to the extraction, with one call for each value, in the type that the schema requires. */
export function* patchValues(conversation: RuleInput, edits: readonly ValueEdit[]): PlanOfSteps {
  const extraction = yield* readResult(conversation);
  if (typeof extraction === 'string') return extraction;
  const leaves = leavesOf(extraction.result);
  const schema = yield* readSchema(extraction.schemaRevid ?? conversation.workingState.schemaRevid);
  const messages: string[] = [];
  for (const { field, value } of edits) {
    const path = pathFor(field, leaves);
    if (path === null) {
      messages.push(`I find no value called “${field}”. There are ${[...leaves.keys()].slice(0, 30).join(', ')}.`);
      continue;
    }
    const typed = typedValue(value, path, schema, leaves.get(path));
    if (typed === undefined) {
      messages.push(`\`${path}\` does not accept “${value}”.`);
      continue;
    }
    const outcome = yield* use('update_extraction_field', { path, value: typed });
    if (outcome.kind === 'done') messages.push(`\`${path}\` is now ${bold(typed === null ? 'empty' : String(typed))}.`);
    else return [...messages, describeRefusal(`change \`${path}\``, outcome)].join(' ');
  }
  return messages.join('\n');
}

function* readSchema(revid: string | null): BatchSteps<FieldSchema> {
  if (revid === null) return {};
  const outcome = yield* use('get_schema', { schema_revid: revid });
  if (outcome.kind !== 'done') return {};
  const format = outcome.value.response_format as { json_schema?: { schema?: FieldSchema } } | undefined;
  return format?.json_schema?.schema ?? {};
}

/** Converts a text to the type at a path; undefined when it does not fit. */
function typedValue(
  value: string | null,
  path: string,
  root: FieldSchema,
  current: Scalar | undefined,
): Scalar | undefined {
  if (value === null) return null;
  const schema = schemaAt(root, path.split('.'), root);
  const types = schema ? typesOf(schema) : [typeof current];
  if (types.includes('number') || types.includes('integer')) {
    const digits = /-?\d[\d.,' ]*/u.exec(value)?.[0];
    const number = digits === undefined ? null : numberFrom(digits.trim().replace(/^-/u, ''), '.');
    if (number !== null) return digits?.startsWith('-') ? -number : number;
    return types.includes('string') ? value : undefined;
  }
  if (types.includes('boolean'))
    return /^(?:yes|true|ja|oui|on)$/iu.test(value)
      ? true
      : /^(?:no|false|nein|non|off)$/iu.test(value)
        ? false
        : undefined;
  const isDate = describeField(path.split('.'), schema ?? {}).kind === 'date';
  return (isDate ? datesIn(value, 'month_first')[0]?.iso : undefined) ?? value;
}

function schemaAt(schema: FieldSchema, path: readonly string[], root: FieldSchema): FieldSchema | null {
  const resolved = resolveSchema(schema, root);
  const [key, ...rest] = path;
  if (key === undefined) return resolved;
  const next = /^\d+$/u.test(key) ? resolved.items : resolved.properties?.[key];
  return next ? schemaAt(next, rest, root) : null;
}
