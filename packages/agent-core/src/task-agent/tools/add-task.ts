import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { TaskAgentServices } from '../services.ts';
import { taskParameters } from './task-parameters.ts';

const { title, description, due_at, document_id } = taskParameters;

export const addTask = defineTool({
  name: 'add_task',
  description: 'Puts a task on the person’s to-do list and gives it with its id.',
  effect: 'read_write',
  parameters: z.strictObject({
    title,
    description: description.nullish(),
    due_at: due_at.nullish(),
    document_id: document_id.nullish(),
  }),
  summarize: (args) => `Add the task “${args.title}”`,
  execute: async ({ services, origin }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, args) =>
    services.tasks.create(args, origin),
});
