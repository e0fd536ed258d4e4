import { DomainError, dueAt, taskDescription, taskId, taskTitle } from '@docwright/contract';
import { z } from 'zod';
import { pageBegin } from '../tool/page-begin.ts';
import { hasChangesBeside, nothingToChange } from '../document-agent/tools/shared/changes.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { isNamed, mentions, pointsBack } from './named-task.ts';
import type { TaskAgentServices, TaskConversationSoFar } from './services.ts';

/** Parameters of several task tools. The objects are strict, so that a user id from a model is refused. */
const taskParameters = {
  task_id: taskId,
  title: taskTitle,
  description: taskDescription,
  due_at: dueAt,
  document_id: z
    .string()
    .regex(/^[0-9a-fA-F]{24}$/u, 'An id has 24 hex digits.')
    .toLowerCase(),
};

const { task_id, title, description, due_at, document_id } = taskParameters;

const addTask = defineTool({
  name: 'add_task',
  description: 'Adds a task. Write due_at as 2026-11-27 or 2026-11-27T15:00:00Z.',
  effect: 'write',
  target: 'new',
  argumentRoles: { title: 'content', description: 'content', due_at: 'content', document_id: 'reference' },
  parameters: z.strictObject({
    title,
    description: description.nullish(),
    due_at: due_at.nullish(),
    document_id: document_id.nullish(),
  }),
  summarize: (args) => `Add the task “${args.title}”`,
  execute: async ({ services, origin }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, args) =>
    await services.tasks.create(args, origin),
});

const listTasks = defineTool({
  name: 'list_tasks',
  description: 'Lists the tasks, open ones first.',
  effect: 'read',
  parameters: z.strictObject({
    status: z.enum(['all', 'open', 'done']).default('all'),
    title_search: z.string().max(300).optional(),
    document_id: taskParameters.document_id.optional(),
    ...pageBegin,
    limit: z.number().int().min(1).max(100).default(50).describe('The number of entries to return, at most 100.'),
  }),
  summarize: () => 'List tasks',
  execute: async ({ services }: ToolContext<Pick<TaskAgentServices, 'tasks'>>, { status, ...query }) => {
    const done = status === 'all' ? {} : { is_completed: status === 'done' };
    const { tasks, ...page } = await services.tasks.list({ ...query, ...done });
    return { tasks, ...page };
  },
});

type NamingServices = Pick<TaskAgentServices, 'tasks' | 'conversation'>;

/** Refuses a write to a task that the user did not name: the agent asks first. */
function requireNamed(done: 'changed' | 'completed' | 'deleted') {
  return async (
    { services: { tasks, conversation } }: ToolContext<NamingServices>,
    { task_id }: { task_id: string },
  ): Promise<void> => {
    if (conversation === undefined) return;
    const task = await tasks.get(task_id);
    if (isNamed(task.title, conversation) || (await isOnlyOneMeant(task, conversation, tasks))) return;
    const message = `The user did not name the task “${task.title}”, so it was not ${done}. Ask whether they mean it, by its title, and call again once they say so.`;
    throw new DomainError('forbidden', 'task_not_named', message);
  };
}

/**
 * Whether "it" can only mean this task: the conversation is about no other, the agent has just named no other one of it, or the
 * user has no other.
 */
async function isOnlyOneMeant(
  { id, title }: { id: string; title: string },
  { person, agent, taskIds = [] }: TaskConversationSoFar,
  tasks: TaskAgentServices['tasks'],
): Promise<boolean> {
  if (!pointsBack(title, { person, agent })) return false;
  if (taskIds.length > 0) {
    const others = taskIds.filter((each) => each !== id);
    if (others.length === 0 || others.length === taskIds.length || !mentions(agent, title)) return others.length === 0;
    const named = await Promise.all(others.map(async (each) => tasks.get(each).catch(() => undefined)));
    return named.every((other) => other === undefined || !mentions(agent, other.title));
  }
  return (await tasks.list({ skip: 0, limit: 1 })).total_count === 1;
}

const completeTask = defineTool({
  name: 'complete_task',
  description: 'Marks a task as done.',
  effect: 'write',
  target: 'task_id',
  argumentRoles: {},
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Mark a task as done',
  check: requireNamed('completed'),
  execute: async ({ services, origin }: ToolContext<NamingServices>, { task_id }) =>
    await services.tasks.update(task_id, { is_completed: true }, origin),
});

const updateTask = defineTool({
  name: 'update_task',
  description:
    'Changes a task. Omitted fields keep their values; null removes a value. is_completed: false reopens the task.',
  effect: 'write',
  target: 'task_id',
  argumentRoles: {
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
    .refine(hasChangesBeside('task_id'), nothingToChange),
  summarize: () => 'Change a task',
  check: requireNamed('changed'),
  execute: async ({ services, origin }: ToolContext<NamingServices>, { task_id: id, ...change }) =>
    await services.tasks.update(id, change, origin),
});

const deleteTask = defineTool({
  name: 'delete_task',
  description: 'Deletes a task. Call it only for a task that the person named.',
  effect: 'delete',
  target: 'task_id',
  argumentRoles: {},
  parameters: z.strictObject({ task_id: taskParameters.task_id }),
  summarize: () => 'Delete a task',
  check: requireNamed('deleted'),
  execute: async ({ services, origin }: ToolContext<NamingServices>, { task_id }) => ({
    ...(await services.tasks.delete(task_id, origin)),
    deleted: true,
  }),
});

/** All tools of the task agent. */
export const taskAgentTools = createToolset<TaskAgentServices>([
  addTask,
  listTasks,
  completeTask,
  updateTask,
  deleteTask,
]);
