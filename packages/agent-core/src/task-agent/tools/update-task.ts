import { z } from 'zod';
import { changesBeside, nothingToChange } from '../../document-agent/tools/apply-change.ts';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { TaskAgentServices } from '../services.ts';
import { taskParameters } from './task-parameters.ts';

const { task_id, title, description, due_at, document_id } = taskParameters;

export const updateTask = defineTool({
  name: 'update_task',
  description: 'Changes a task. What is left out stays; null takes it away. is_completed: false opens a task again.',
  effect: 'read_write',
  parameters: z
    .strictObject({
      task_id,
      title: title.optional(),
      description: description.nullish(),
      due_at: due_at.nullish(),
      document_id: document_id.nullish(),
      is_completed: z.boolean().optional(),
    })
    .refine(changesBeside('task_id'), nothingToChange),
  summarize: () => 'Change a task',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { task_id: id, ...change }) =>
    services.tasks.update(id, change),
});
