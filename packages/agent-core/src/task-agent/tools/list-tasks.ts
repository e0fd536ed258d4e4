import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { TaskAgentServices } from '../services.ts';
import { taskParameters } from './task-parameters.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  description: 'Lists the person’s tasks with their ids: open ones first, then by what is due soonest.',
  effect: 'read_only',
  parameters: z.strictObject({
    status: z.enum(['all', 'open', 'done']).default('all').describe('Which of them.'),
    title_search: z.string().max(300).optional().describe('Keeps those whose title contains this text.'),
    document_id: taskParameters.document_id.optional().describe('Keeps those about this document.'),
    skip: z.number().int().min(0).default(0).describe('How many to leave out from the start.'),
    limit: z.number().int().min(1).max(100).default(50).describe('How many to return, at most 100.'),
  }),
  summarize: () => 'List tasks',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { status, ...query }) =>
    services.tasks.list({ ...query, ...(status === 'all' ? {} : { is_completed: status === 'done' }) }),
});
