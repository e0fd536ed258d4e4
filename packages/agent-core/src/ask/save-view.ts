import { artifactName, objectId, parseWhere, type SavedViewBody } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { AskServices } from './services.ts';

type Context = ToolContext<AskServices>;

const path = z.string().min(1).max(200);

/** Keeps a query as a view of the page Results. */
export const saveView = defineTool({
  name: 'save_view',
  description:
    'Keeps a query as a view of Results, after the user approved it. It replaces the user’s view of the same name.',
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
    columns: z.array(path).max(20).default([]).describe('The fields to show; all without one.'),
    sort: z.string().max(201).default('').describe('A field: total, or -total for the largest first.'),
    is_shared: z.boolean().default(false).describe('Whether all members see it.'),
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
