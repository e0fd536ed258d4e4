import { artifactName, DomainError, objectId, parseWhere, type SavedViewBody } from '@docwright/contract';
import { z } from 'zod';
import { runPrompt } from './run-prompt.ts';
import { askQuestions } from '../document-agent/tools/questions/ask-questions.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { calculate, valuesIn } from './calculate.ts';
import { listFields } from './list-fields.ts';
import { note, readPages, searchPassages } from './passages.ts';
import { fieldPath, queryScope } from './query-scope.ts';
import type { AskCall, AskServices } from './services.ts';

type Context = ToolContext<AskServices>;

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
    columns: z.array(fieldPath).max(20).default([]).describe('The fields to show. Default: all.'),
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
  queryScope,
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
