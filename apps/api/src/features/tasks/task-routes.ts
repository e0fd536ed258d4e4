import {
  completeTaskBody,
  createTaskBody,
  pageQuery,
  task,
  taskId,
  taskList,
  taskListQuery,
  taskVersionList,
  updateTaskBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import { requireOwnPath, userPath, ownPathNote } from './own-path.ts';
import type { Tasks } from './task-service.ts';

const operation = operationsOf('tasks');
const path = '/api/v1/:user_id/tasks';
const taskPath = userPath.extend({ task_id: taskId });

/** The CRUD routes of a user's to-do list. */
export const taskRoutes: FastifyPluginAsyncZod<{ services: { tasks: (actor: Actor) => Tasks } }> = async (
  app,
  { services: { tasks: tasksFor } },
) => {
  app.addHook('preValidation', requireOwnPath);

  app.get(
    path,
    operation({
      operationId: 'listTasks',
      summary: 'List the caller’s tasks',
      description: `Open tasks first, then by due date, tasks without a date last. ${ownPathNote} Tasks belong to the organization in \`X-Org-Id\`; a task whose document was deleted has no \`document_id\`.`,
      params: userPath,
      querystring: taskListQuery,
      errors: ['not_your_path'],
      response: { 200: taskList },
    }),
    async (request) => tasksFor(request.actor).list(request.query),
  );

  app.post(
    path,
    operation({
      operationId: 'createTask',
      summary: 'Create a task',
      description: `\`document_id\` is a document of the organization. \`due_at\` can be a date without a time, which is returned as a date and sorted as noon in UTC. ${ownPathNote}`,
      params: userPath,
      body: createTaskBody,
      errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write'],
      response: { 201: task },
    }),
    async (request, reply) => reply.code(201).send(await tasksFor(request.actor).create(request.body)),
  );

  app.get(
    `${path}/:task_id`,
    operation({
      operationId: 'getTask',
      summary: 'Get a task',
      description: ownPathNote,
      params: taskPath,
      errors: ['not_your_path', 'task_not_found'],
      response: { 200: task },
    }),
    async (request) => tasksFor(request.actor).get(request.params.task_id),
  );

  app.get(
    `${path}/:task_id/versions`,
    operation({
      operationId: 'listTaskVersions',
      summary: 'List the earlier versions of a task',
      description: `Newest first, for 30 days, also of a deleted task. ${ownPathNote}`,
      params: taskPath,
      querystring: pageQuery,
      errors: ['not_your_path', 'task_not_found'],
      response: { 200: taskVersionList },
    }),
    async (request) => tasksFor(request.actor).versions(request.params.task_id, request.query),
  );

  app.put(
    `${path}/:task_id`,
    operation({
      operationId: 'updateTask',
      summary: 'Change a task',
      description: `Omitted fields stay as they are; null removes description, document or date. \`is_completed: false\` opens the task again. ${ownPathNote}`,
      params: taskPath,
      body: updateTaskBody,
      errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write', 'task_not_found'],
      response: { 200: task },
    }),
    async (request) => tasksFor(request.actor).update(request.params.task_id, request.body),
  );

  app.patch(
    `${path}/:task_id/complete`,
    operation({
      operationId: 'completeTask',
      summary: 'Mark a task as done',
      description: `Needs no body; \`{ "is_completed": false }\` opens the task again. A repeated request changes nothing. ${ownPathNote}`,
      params: taskPath,
      body: completeTaskBody,
      errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
      response: { 200: task },
    }),
    async (request) => {
      const is_completed = request.body?.is_completed ?? true;
      return tasksFor(request.actor).update(request.params.task_id, { is_completed });
    },
  );

  app.delete(
    `${path}/:task_id`,
    operation({
      operationId: 'deleteTask',
      summary: 'Delete a task',
      description: `Can be undone for 30 days by its entry in the audit log, as each change of a task. ${ownPathNote}`,
      params: taskPath,
      errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await tasksFor(request.actor).delete(request.params.task_id);
      return reply.code(204).send();
    },
  );
};
