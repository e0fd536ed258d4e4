import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellEvidence } from '@docwright/claims';
import { artifactName, DomainError, objectId, parseWhere, type SavedViewBody } from '@docwright/contract';
import { z } from 'zod';
import { runPrompt } from './run-prompt.ts';
import { askQuestions } from '../document-agent/tools/questions/ask-questions.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { calculate, valuesIn } from './calculate.ts';
import { note, readPages, searchPassages } from './passages.ts';
import { eachInSteps } from './in-steps.ts';
import { fieldValue } from './cells.ts';
import { runQuery, type QueryAnswer } from './run-query.ts';
import type { AskCall, AskQuery, AskResult, AskServices } from './services.ts';

type Context = ToolContext<AskServices>;

const path = z.string().min(1).max(200);

/** The fields of a result and of the objects in it, without rows of lists. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return prefix === '' ? [] : [prefix];
  return Object.entries(value).flatMap(([key, child]) => pathsOf(child, prefix === '' ? key : `${prefix}.${key}`));
}

/** So many results show which fields a prompt has. */
const maxSampled = 200;
const maxFields = 100;

/** The paths of the fields of a prompt. */
export const fieldPaths = (results: readonly AskResult[]): string[] =>
  [...new Set(results.slice(0, maxSampled).flatMap(({ result }) => pathsOf(result)))].slice(0, maxFields);

/** So many values of a field are named. */
const maxNamedValues = 5;

async function fieldsOf(results: readonly AskResult[]) {
  const fields = fieldPaths(results).map((field) => ({
    path: field,
    type: 'undefined',
    documents_with_value: 0,
    values: [] as string[],
  }));
  await eachInSteps(results, ({ result }) => {
    for (const field of fields) {
      const value = fieldValue(result, field.path);
      if (value === null || value === undefined) continue;
      if (field.documents_with_value === 0) field.type = Array.isArray(value) ? 'list' : typeof value;
      field.documents_with_value += 1;
      if (field.values.length >= maxNamedValues || typeof value === 'object') continue;
      const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60);
      if (!field.values.includes(text)) field.values.push(text);
    }
  });
  return fields;
}

const listFields = defineTool({
  name: 'list_fields',
  description:
    'Lists the prompts that have results in the scope. Returns the fields of each, their types, how many documents have a value, and a few values. Use it when the field names at the end of the request do not tell enough.',
  effect: 'read',
  documentContent: ['values'],
  parameters: z.strictObject({}),
  summarize: () => 'List the fields of the results',
  execute: async ({ services }: Context) => ({
    prompts: await Promise.all(
      (await services.prompts()).map(async (prompt) => {
        const results = await services.results(prompt.prompt_id);
        return { ...prompt, documents: results.length, fields: await fieldsOf(results) };
      }),
    ),
  }),
});

const queryResults = defineTool({
  name: 'query_results',
  description:
    'Queries the results of one prompt. `where`: conditions like total>=1000, supplier~acme, due_date<2026-12-01, iban=null, joined by " and ". `columns` returns a row of cells for each document; `aggregate` returns totals over all matching documents, for each group of `group_by`. Amounts in different currencies are never added up: the aggregate is returned once for each currency. If no document matches, it is 0. Cite the ids of cells and aggregates.',
  effect: 'read',
  documentContent: ['document_name', 'value', 'group'],
  parameters: z.strictObject({
    prompt_id: objectId.describe('The id of the prompt, from list_fields.'),
    where: z.string().max(2000).default('').describe('Conditions. Default: all documents.'),
    columns: z.array(path).max(20).default([]).describe('The fields to return for each document.'),
    group_by: z.array(path).max(2).default([]),
    aggregate: z
      .array(z.strictObject({ op: z.enum(['sum', 'count', 'min', 'max', 'avg', 'distinct']), path }))
      .max(10)
      .default([]),
    sort: z
      .string()
      .min(1)
      .max(201)
      .optional()
      .describe('The field to sort by, for example total; -total sorts the largest first.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('The number of rows to return, at most 200. Default: 50.'),
  }),
  summarize: ({ where }) => (where === '' ? 'Query the results' : `Query the results where ${where}`),
  async execute(context: Context, query) {
    const { services } = context;
    const answer = await runQuery(await services.results(query.prompt_id), query, services.shown.evidence.values());
    await placeCells(
      services,
      query.prompt_id,
      answer.rows.flatMap(({ cells }) => cells),
    );
    const shown = [...answer.rows.flatMap(({ cells }) => cells), ...answer.aggregates];
    note(context, shown);
    for (const { id } of shown) services.shown.queries.set(id, query);
    const queried = services.shown.queried.get(query.prompt_id) ?? new Set();
    for (const field of fieldsIn(query)) queried.add(field);
    services.shown.queried.set(query.prompt_id, queried);
    return await presented(answer);
  },
});

/** The fields that a query rests on: a document without one of them is not in the answer, or not with its value. */
const fieldsIn = ({ where, columns, group_by, aggregate }: Omit<AskQuery, 'prompt_id'>): string[] =>
  [...parseWhere(where), ...aggregate].map((each) => each.path).concat(columns, group_by);

/** Adds the places of cells on their pages. */
export async function placeCells(
  services: AskServices,
  promptId: string,
  cells: readonly CellEvidence[],
): Promise<void> {
  const documents = [...new Set(cells.map(({ document_id }) => document_id))];
  if (documents.length === 0) return;
  const places = await services.places(promptId, documents);
  for (const cell of cells) Object.assign(cell, places.get(cell.document_id)?.[cell.path]);
}

/** A query's answer for the model. */
async function presented({ rows, aggregates, matched }: QueryAnswer) {
  const shown: object[] = [];
  for (const aggregate of aggregates) {
    // Named one by one: the cells are computed when they are read, and so are their ids.
    shown.push({
      id: aggregate.id,
      op: aggregate.op,
      path: aggregate.path,
      value: aggregate.value,
      currency: aggregate.currency,
      group: aggregate.group,
      cells: aggregate.first_cells.map((cell) => cell.id),
      cell_count: aggregate.cell_count,
      without_value: aggregate.without_value,
      at_risk: aggregate.at_risk,
    });
    if (shown.length % aggregatesPerStep === 0) await nextTurn();
  }
  const single = aggregates.filter(({ document_ids = [] }) => document_ids.length === 1);
  return {
    matched_documents: matched,
    rows: rows.map(({ cells, ...document }) => ({
      ...document,
      cells: cells.map(({ id, document_id, path: field, value, currency }) => ({
        id,
        document_id,
        path: field,
        value,
        currency,
      })),
    })),
    aggregates: shown,
    // Such a total is a value of its document.
    of_one_document: single.map(({ id, document_ids }) => ({ id, document_id: document_ids?.[0] })),
  };
}

/** Each has the ids of 20 cells. */
const aggregatesPerStep = 50;

const calculateTool = defineTool({
  name: 'calculate',
  description:
    'Calculates with cited values, in CEL, for example v("a1") - v("a2") or v("c1") / v("c2") * 100. The difference of two dates is in days. Returns the result with an id to cite. Use it for every calculation.',
  effect: 'read',
  parameters: z.strictObject({ expression: z.string().min(1).max(1000) }),
  summarize: ({ expression }) => `Calculate ${expression}`,
  async execute(context: Context, { expression }) {
    const { services } = context;
    await recallEvidence(services, valuesIn(expression), context.signal);
    const calculated = calculate(expression, services.shown.evidence);
    note(context, [calculated]);
    return calculated;
  },
});

/** Keeps a query as a view of the page Results. */
const saveView = defineTool({
  name: 'save_view',
  description:
    'Saves a query as a view of the page Results, once the user approves it. Replaces the user’s view of the same name.',
  effect: 'write',
  target: 'new',
  argumentRoles: {
    prompt_id: 'reference',
    name: 'content',
    where: 'content',
    columns: 'content',
    sort: 'content',
    is_shared: 'setting',
  },
  parameters: z.strictObject({
    prompt_id: objectId.describe('The prompt whose results are shown.'),
    name: artifactName.describe('The name of the view.'),
    where: z.string().max(2000).default('').describe('Conditions, as in query_results.'),
    columns: z.array(path).max(20).default([]).describe('The fields to show. Default: all.'),
    sort: z.string().max(201).default('').describe('A field: total, or -total for the largest first.'),
    is_shared: z.boolean().default(false).describe('Whether all members of the organization see it. Default: false.'),
  }),
  summarize: ({ name, where, is_shared }) =>
    `Save the view “${name}”${where === '' ? '' : ` where ${where}`}${is_shared ? ', for all members' : ''}`,
  check: async (_context: Context, { where }) => void parseWhere(where),
  async preview({ services }: Context, { prompt_id, name }) {
    const same = (await services.views.list(prompt_id)).filter((view) => view.name === name);
    return { kind: 'create' as const, collides_with: same.map(({ id, name: taken }) => ({ id, name: taken })) };
  },
  async execute({ services }: Context, { prompt_id, ...view }) {
    const saved = await services.views.save(prompt_id, view satisfies SavedViewBody);
    return { view_id: saved.id, name: saved.name };
  },
});

/** The tools of a question over many documents. Their order here is their order in each request. */
export const askTools = createToolset<AskServices>([
  listFields,
  queryResults,
  searchPassages,
  readPages,
  calculateTool,
  askQuestions,
  runPrompt,
  saveView,
]);

/** These hold the scope themselves, for a part of their work: before, they wait for an endpoint or run other calls. */
const holdThemselves = new Set([searchPassages.name, calculateTool.name]);

/** Runs a tool, which holds what it reads. */
export const executeHeld = async (
  { name, execute }: Tool<AskServices>,
  context: Context,
  args: Parameters<Tool<AskServices>['execute']>[1],
): Promise<unknown> =>
  holdThemselves.has(name)
    ? execute(context, args)
    : context.services.hold(async () => execute(context, args), context.signal);

/** Calls of a conversation that are run again at most, the newest ones. */
const maxRecalled = 60;

/**
 * Runs the calls of a turn before its pause again, and those of earlier turns if one of the ids is not known: they ran
 * with other services. Ids are derived from what they hold, so a call shows the same ids again unless the documents
 * have changed. Runs outside of `hold`: each call holds what it reads.
 */
export async function recallEvidence(
  services: AskServices,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const { shown } = services;
  const isMissing = () => ids.some((id) => !shown.evidence.has(id));
  const isNeeded = isMissing() || shown.earlier.some(({ isOfTurn }) => isOfTurn);
  const calls = isNeeded ? shown.earlier.slice(-maxRecalled) : [];
  if (isNeeded) shown.earlier = [];
  for (const call of calls) {
    const missing = ids.filter((id) => !shown.evidence.has(id));
    if (!call.isOfTurn && missing.length === 0) continue;
    const queried = new Map<string, Set<string>>();
    await runAgain({ ...services, shown: { ...shown, queried } }, call, signal);
    // Coverage is that of the turn's own queries, and of earlier ones that it cites.
    if (!call.isOfTurn && !missing.some((id) => shown.evidence.has(id))) continue;
    for (const [promptId, paths] of queried) {
      shown.queried.set(promptId, new Set([...(shown.queried.get(promptId) ?? []), ...paths]));
    }
  }
}

async function runAgain(services: AskServices, call: AskCall, signal: AbortSignal | undefined): Promise<void> {
  const tool = call.name === askQuestions.name ? undefined : askTools.get(call.name);
  if (tool?.effect !== 'read') return;
  // The tools that only read use nothing else of their context.
  const context = { services, origin: { call_id: '' }, signal } as Context;
  try {
    await executeHeld(tool, context, tool.parameters.parse(JSON.parse(call.arguments)));
  } catch (error) {
    // It failed before too, or its documents are gone: nothing can be cited from it.
    if (!(error instanceof DomainError || error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
}
