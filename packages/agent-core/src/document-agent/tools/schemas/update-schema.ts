import {
  artifactName,
  DomainError,
  responseFormat,
  schemaChecks,
  type ResponseFormat,
  type Schema,
  type SchemaCheck,
  type Preview,
  type Prompt,
} from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext, type CallOrigin } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { applyChange, changeLabel, hasChangesBeside, differencePreview, nothingToChange } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { schemaReference, promptReference } from '../shared/references.ts';
import { promptsOf } from '../shared/schema-prompts.ts';
import { schemaState } from '../shared/object-states.ts';
import { objectOf, schemaChange, withChanges } from './schema-changes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that the outline shows as text; all others are shown as JSON. */
const summarizedKeywords = new Set(['type', 'description', 'properties', 'items', 'required', 'additionalProperties']);

/**
 * A response format as text for a comparison by lines: one line for each field, for example
 * `- total: number or null — The total {"minimum":0}`, with nested fields indented below.
 */
export function schemaOutline({ json_schema }: ResponseFormat): string {
  return [`Format: ${json_schema.name}${otherKeywords(json_schema.schema)}`, ...fieldLines(json_schema.schema, 0)].join(
    '\n',
  );
}

function fieldLines(schema: JsonSchema, depth: number): string[] {
  const nested = objectOf(schema['items']) ?? schema;
  const properties = objectOf(nested['properties']) ?? {};
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = objectOf(value) ?? {};
    const description = typeof field['description'] === 'string' ? ` — ${oneLine(field['description'])}` : '';
    const line = `${'  '.repeat(depth)}- ${name}: ${typeLabel(field)}${description}${otherKeywords(field)}`;
    return [line, ...fieldLines(field, depth + 1)];
  });
}

function typeLabel(schema: JsonSchema): string {
  const types = [schema['type'] ?? 'anything'].flat().map(String);
  const items = objectOf(schema['items']);
  return types.map((type) => (type === 'array' && items ? `list of ${typeLabel(items)}` : type)).join(' or ');
}

/** The other keywords of a field and of a list's items, as JSON. */
function otherKeywords(schema: JsonSchema): string {
  const items = objectOf(schema['items']);
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !summarizedKeywords.has(keyword)));
  const text = Object.keys(own).length === 0 ? '' : ` ${JSON.stringify(own)}`;
  const ofItems = items ? otherKeywords(items) : '';
  return ofItems === '' ? text : `${text}, each${ofItems}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

type Services = Pick<DocumentAgentServices, 'schemas' | 'prompts' | 'evaluations'>;
type Context = ToolContext<Services>;

const relinkParameter = z
  .boolean()
  .default(false)
  .describe(
    'Links the prompts of earlier versions to the new one, so that their next extraction uses it. Default: false.',
  );

/** The parameter for checks across fields. */
export const checksParameter = schemaChecks
  .optional()
  .describe(
    'Conditions over several fields, in CEL, for example { "id": "sum", "expression": "abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01", "message": "The rows do not add up to the subtotal", "severity": "error" }. Default: the checks of the current version.',
  );

export const updateSchema = defineTool({
  name: 'update_schema',
  description:
    'Validates a complete new response_format and saves it as a new version of the schema, or renames the schema. To change single fields, use edit_schema instead. Prompts stay on the version that they link unless relink_prompts is true; the result lists them.',
  effect: 'write',
  isFurther: true,
  target: 'schema_id',
  argumentRoles: { name: 'content', response_format: 'content', checks: 'content', relink_prompts: 'setting' },
  parameters: z
    .object({
      schema_id: idParameter('The stable id (schema_id, not schema_revid).'),
      name: artifactName.optional().describe('The new name.'),
      response_format: responseFormat.optional().describe('The complete new format.'),
      checks: checksParameter,
      relink_prompts: relinkParameter,
    })
    .refine(hasChangesBeside('schema_id', 'relink_prompts'), nothingToChange),
  summarize: ({ relink_prompts, ...args }) =>
    `Change the schema’s ${changeLabel(args, 'schema_id')}${relink_prompts ? ' and relink its prompts' : ''}`,
  check: async ({ services }: Context, { schema_id, response_format, checks }) => {
    if (response_format === undefined && checks === undefined) return;
    const current = await services.schemas.getCurrent(schema_id);
    requireValidSchema(services, response_format ?? current.response_format, checks ?? current.checks);
  },
  preview: async ({ services, origin }: Context, args) => {
    const { schema_id, name, response_format, checks } = args;
    const evaluation = await services.evaluations.ofProposal('update_schema', args, origin);
    const difference = previewOf(await services.schemas.getCurrent(schema_id), { name, response_format, checks });
    const isRename = response_format === undefined && checks === undefined;
    const use = isRename ? undefined : await useOf(services, args);
    return { ...difference, ...(evaluation && { evaluation }), ...use };
  },
  baseline: async ({ services }: Context, { schema_id }) => [schemaState(await services.schemas.getCurrent(schema_id))],
  execute: (context: Context, { schema_id, relink_prompts, ...change }) =>
    write(context, schema_id, change, relink_prompts),
});

export const editSchema = defineTool({
  name: 'edit_schema',
  description:
    'Changes single fields of a schema, in the given order, and saves a new version. Everything else stays; "required" is updated for you. Operations: {"op":"add","path":"line_items[].sku","definition":{…}}, {"op":"rename","path":"seller.nam","name":"name"}, {"op":"remove","path":…}, {"op":"set","path":…,"definition":{…}}. Validated like update_schema.',
  effect: 'write',
  target: 'schema_id',
  argumentRoles: { changes: 'content', relink_prompts: 'setting' },
  parameters: z.object({
    schema_id: idParameter('The stable id (schema_id, not schema_revid).'),
    changes: z.array(schemaChange).min(1).max(100).describe('The changes, in the order in which to make them.'),
    relink_prompts: relinkParameter,
  }),
  summarize: ({ changes, relink_prompts }) =>
    `Change the schema: ${changes.map(({ op, path, name }) => `${op} ${path}${name === undefined ? '' : ` to ${name}`}`).join(', ')}${relink_prompts ? '; relink its prompts' : ''}`,
  check: async ({ services }: Context, { schema_id, changes }) => {
    const { response_format, checks } = await services.schemas.getCurrent(schema_id);
    requireValidSchema(services, withChanges(response_format, changes), checks);
  },
  preview: async ({ services, origin }: Context, args) => {
    const current = await services.schemas.getCurrent(args.schema_id);
    const evaluation = await services.evaluations.ofProposal('edit_schema', args, origin);
    const difference = previewOf(current, { response_format: withChanges(current.response_format, args.changes) });
    return { ...difference, ...(evaluation && { evaluation }), ...(await useOf(services, args)) };
  },
  baseline: async ({ services }: Context, { schema_id }) => [schemaState(await services.schemas.getCurrent(schema_id))],
  execute: async (context: Context, { schema_id, changes, relink_prompts }) => {
    const { response_format } = await context.services.schemas.getCurrent(schema_id);
    return write(context, schema_id, { response_format: withChanges(response_format, changes) }, relink_prompts);
  },
});

/** Throws a DomainError with all problems of a format, before the user is asked about the call. */
export function requireValidSchema(
  { schemas }: Pick<DocumentAgentServices, 'schemas'>,
  format: ResponseFormat | undefined,
  checks?: readonly SchemaCheck[],
): void {
  if (format === undefined) return;
  const { valid, errors } = schemas.checkFormat(format, checks);
  if (valid) return;
  const listed = errors.slice(0, 20).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new DomainError(
    'invalid',
    'invalid_schema',
    `The schema is not valid, and nothing was stored. ${listed.join(' ')}`,
  );
}

type Change = {
  name?: string | undefined;
  response_format?: ResponseFormat | undefined;
  checks?: SchemaCheck[] | undefined;
};

async function write(
  { services, workingState, origin }: Context,
  schema_id: string,
  change: Change,
  isRelinking: boolean,
) {
  const schema = await services.schemas.update(schema_id, change, origin);
  workingState.update({ schema_revid: schema.schema_revid });
  if (change.response_format === undefined && change.checks === undefined) return schemaReference(schema);
  const { result, relinked } = await relink(services, schema, isRelinking, origin);
  const { prompt_revid } = workingState.get();
  const own = prompt_revid === null ? undefined : await services.prompts.get(prompt_revid).catch(() => undefined);
  const moved =
    relinked.find(({ prompt_id }) => prompt_id === own?.prompt_id) ?? (own === undefined ? relinked[0] : undefined);
  if (moved !== undefined) workingState.update({ prompt_revid: moved.prompt_revid });
  return { ...schemaReference(schema), ...result };
}

/** The prompts that the next version concerns. */
async function useOf(
  { schemas }: Pick<Services, 'schemas'>,
  { schema_id, relink_prompts }: { schema_id: string; relink_prompts: boolean },
): Promise<Pick<Extract<Preview, { kind: 'difference' }>, 'schema_use'>> {
  const { prompts } = await schemas.use(schema_id);
  if (prompts.length === 0) return {};
  const named = prompts.map(({ prompt_id, name, schema_version, documents }) => ({
    prompt_id,
    name,
    schema_version,
    documents,
  }));
  return { schema_use: { prompts: named, moves_prompts: relink_prompts } };
}

function previewOf(current: Schema, change: Change) {
  const title = `Schema “${current.name}”, version ${current.schema_version}`;
  return differencePreview(title, readable(current), readable(applyChange(current, change)));
}

function readable({ name, response_format, checks = [] }: Schema): string {
  const listed = checks.map(
    ({ id, expression, message, severity }) => `${id} (${severity}): ${expression}\n  ${message}`,
  );
  const outlined = listed.length === 0 ? '' : `\n\nChecks\n${listed.join('\n')}`;
  return `Name: ${name}\n${schemaOutline(response_format)}${outlined}`;
}

type PromptServices = Pick<DocumentAgentServices, 'prompts'>;

/**
 * Links the prompts of earlier revisions to the new one, or lists them. Each prompt is a write of its own, with an id
 * derived from the call's id.
 */
async function relink(
  services: PromptServices,
  schema: Schema,
  isRelinking: boolean,
  origin: CallOrigin,
): Promise<{ result: Record<string, unknown>; relinked: Prompt[] }> {
  const behind = (await promptsOf(services, schema)).filter(({ schema_revid }) => schema_revid !== schema.schema_revid);
  if (behind.length === 0) return { result: {}, relinked: [] };
  if (!isRelinking) return { result: { prompts_on_old_revision: behind.map(promptReference) }, relinked: [] };
  const relinked: Prompt[] = [];
  for (const { prompt_id } of behind) {
    const own = { ...origin, call_id: `${origin.call_id}-${prompt_id}` };
    relinked.push(await services.prompts.update(prompt_id, { schema_id: schema.schema_id }, own));
  }
  return { result: { relinked_prompts: relinked.map(promptReference) }, relinked };
}
