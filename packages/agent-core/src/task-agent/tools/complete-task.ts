import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { TaskAgentServices } from '../services.ts';
import { taskParameters } from './task-parameters.ts';

export const completeTask = defineTool({
  name: 'complete_task',
  description: 'Marks a task as done. One that is done already stays done; update_task opens one again.',
  effect: 'read_write',
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Mark a task as done',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { task_id }) =>
    services.tasks.update(task_id, { is_completed: true }),
});
