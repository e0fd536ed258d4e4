import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { TaskAgentServices } from '../services.ts';
import { taskParameters } from './task-parameters.ts';

export const deleteTask = defineTool({
  name: 'delete_task',
  description: 'Takes a task off the list for good and gives it as it was. A task that is done is completed instead.',
  effect: 'read_write',
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Delete a task',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { task_id }) => ({
    ...(await services.tasks.delete(task_id)),
    deleted: true,
  }),
});
