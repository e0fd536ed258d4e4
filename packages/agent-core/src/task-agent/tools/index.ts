import { createToolset } from '../../tool/toolset.ts';
import type { TaskAgentServices } from '../services.ts';
import { addTask } from './add-task.ts';
import { completeTask } from './complete-task.ts';
import { deleteTask } from './delete-task.ts';
import { listTasks } from './list-tasks.ts';
import { updateTask } from './update-task.ts';

/** All that the task agent can do; a tool that is not here does not exist. */
export const taskAgentTools = createToolset<TaskAgentServices>([
  addTask,
  listTasks,
  completeTask,
  updateTask,
  deleteTask,
]);
