import type { TaskService } from '@docwright/agent-core';
import {
  completeTaskBody,
  createTaskBody,
  task,
  taskId,
  taskList,
  taskListQuery,
  updateTaskBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import { requireOwnPath, userPath, whoseTasks } from './own-path.ts';

const tags = ['tasks'];
const path = '/api/v1/:user_id/tasks';
const taskPath = userPath.extend({ task_id: taskId });

/** A person's to-do list, by hand. */
export const taskRoutes: FastifyPluginAsyncZod<{ services: { tasks: (actor: Actor) => TaskService } }> = async (
  app,
  { services: { tasks: tasksFor } },
) => {
  app.addHook('preValidation', requireOwnPath);

  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listTasks',
        summary: 'List one’s own tasks',
        description: `Open ones first, then by what is due soonest, those without a date last. ${whoseTasks} The list is the organization’s named by \`X-Org-Id\`, as tasks are for work on its documents; a task whose document is deleted shows no \`document_id\`.`,
        params: userPath,
        querystring: taskListQuery,
        errors: ['not_your_path'],
        response: { 200: taskList },
      },
    },
    async (request) => tasksFor(request.actor).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createTask',
        summary: 'Create a task',
        description: `\`document_id\` is a document of the organization. \`due_at\` takes a date alone as well, which stays a date alone in every answer and is sorted as noon in UTC. ${whoseTasks}`,
        params: userPath,
        body: createTaskBody,
        errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write'],
        response: { 201: task },
      },
    },
    async (request, reply) => reply.code(201).send(await tasksFor(request.actor).create(request.body)),
  );

  app.get(
    `${path}/:task_id`,
    {
      schema: {
        tags,
        operationId: 'getTask',
        summary: 'Get a task',
        description: whoseTasks,
        params: taskPath,
        errors: ['not_your_path', 'task_not_found'],
        response: { 200: task },
      },
    },
    async (request) => tasksFor(request.actor).get(request.params.task_id),
  );

  app.put(
    `${path}/:task_id`,
    {
      schema: {
        tags,
        operationId: 'updateTask',
        summary: 'Change a task',
        description: `What is left out stays; null takes description, document or date away. \`is_completed: false\` opens it again. ${whoseTasks}`,
        params: taskPath,
        body: updateTaskBody,
        errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write', 'task_not_found'],
        response: { 200: task },
      },
    },
    async (request) => tasksFor(request.actor).update(request.params.task_id, request.body),
  );

  app.patch(
    `${path}/:task_id/complete`,
    {
      schema: {
        tags,
        operationId: 'completeTask',
        summary: 'Mark a task as done',
        description: `Needs no body; \`{ "is_completed": false }\` opens the task again. The same again changes nothing. ${whoseTasks}`,
        params: taskPath,
        body: completeTaskBody,
        errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
        response: { 200: task },
      },
    },
    async (request) => {
      const is_completed = request.body?.is_completed ?? true;
      return tasksFor(request.actor).update(request.params.task_id, { is_completed });
    },
  );

  app.delete(
    `${path}/:task_id`,
    {
      schema: {
        tags,
        operationId: 'deleteTask',
        summary: 'Delete a task',
        description: `For good. ${whoseTasks}`,
        params: taskPath,
        errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await tasksFor(request.actor).delete(request.params.task_id);
      return reply.code(204).send();
    },
  );
};
