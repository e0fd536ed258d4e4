import { DomainError, dueAt, taskDescription, taskId, taskTitle, type Task } from '@docwright/contract';
import { z } from 'zod';
import { changesBeside, nothingToChange } from '../document-agent/tools/shared/changes.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { isNamed } from './named-task.ts';
import type { TaskAgentServices } from './services.ts';

/** The parameters that several of the task tools take. Their objects are strict: a user id that a model passes is refused. */
export const taskParameters = {
  task_id: taskId.describe('The task’s id, a uuid, as list_tasks gives it.'),
  title: taskTitle.describe('What is to be done, in a few words.'),
  description: taskDescription.describe('What else there is to know.'),
  due_at: dueAt.describe('When it is due: 2026-11-27, or with time and zone 2026-11-27T15:00:00Z.'),
  document_id: z
    .string()
    .regex(/^[0-9a-fA-F]{24}$/u, 'An id has 24 hex digits.')
    .toLowerCase()
    .describe('The document that it is about.'),
};

const { task_id, title, description, due_at, document_id } = taskParameters;

export const addTask = defineTool({
  name: 'add_task',
  description: 'Puts a task on the person’s to-do list and gives it with its id.',
  effect: 'read_write',
  argumentRoles: { title: 'content', description: 'content', due_at: 'content', document_id: 'reference' },
  parameters: z.strictObject({
    title,
    description: description.nullish(),
    due_at: due_at.nullish(),
    document_id: document_id.nullish(),
  }),
  summarize: (args) => `Add the task “${args.title}”`,
  execute: async ({ services, origin }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, args) =>
    shown(await services.tasks.create(args, origin)),
});

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
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { status, ...query }) => {
    const done = status === 'all' ? {} : { is_completed: status === 'done' };
    const { tasks, ...page } = await services.tasks.list({ ...query, ...done });
    return { tasks: tasks.map(shown), ...page };
  },
});

export const completeTask = defineTool({
  name: 'complete_task',
  description: 'Marks a task as done. One that is done already stays done; update_task opens one again.',
  effect: 'read_write',
  argumentRoles: { task_id: 'target' },
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Mark a task as done',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { task_id }) =>
    shown(await services.tasks.update(task_id, { is_completed: true })),
});

export const updateTask = defineTool({
  name: 'update_task',
  description: 'Changes a task. What is left out stays; null takes it away. is_completed: false opens a task again.',
  effect: 'read_write',
  argumentRoles: {
    task_id: 'target',
    title: 'content',
    description: 'content',
    due_at: 'content',
    document_id: 'reference',
    is_completed: 'content',
  },
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
    shown(await services.tasks.update(id, change)),
});

export const deleteTask = defineTool({
  name: 'delete_task',
  description:
    'Takes a task that the person named off the list for good and gives it as it was. A task that is done is completed instead.',
  effect: 'read_write',
  argumentRoles: { task_id: 'target' },
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Delete a task',
  check: async (
    { services: { tasks, conversation } }: ToolContext<Pick<TaskAgentServices, 'tasks' | 'conversation'>>,
    { task_id },
  ) => {
    if (conversation === undefined) return;
    const task = await tasks.get(task_id);
    if (isNamed(task.title, conversation)) return;
    const message = `The person did not name the task “${task.title}”, so it was not deleted. Ask whether they mean it, by its title, and delete it once they say so.`;
    throw new DomainError('forbidden', 'task_not_named', message);
  },
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks' | 'conversation'>>, { task_id }) => ({
    ...shown(await services.tasks.delete(task_id)),
    deleted: true,
  }),
});

/** A date that was given without a time is kept as noon, and shown as the date that it is. */
export function shown(task: Task): Task {
  const { due_at } = task;
  return due_at?.endsWith('T12:00:00.000Z') === true ? { ...task, due_at: due_at.slice(0, 10) } : task;
}

/** All that the task agent can do; a tool that is not here does not exist. */
export const taskAgentTools = createToolset<TaskAgentServices>([
  addTask,
  listTasks,
  completeTask,
  updateTask,
  deleteTask,
]);
