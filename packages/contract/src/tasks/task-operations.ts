import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import {
  completeTaskBody,
  createTaskBody,
  task,
  taskId,
  taskList,
  taskListQuery,
  taskVersionList,
  updateTaskBody,
} from './tasks.ts';

const ownPathNote = '403 if `user_id` is not the caller’s own id.';

export const taskOperations = describeOperations('tasks', {
  'GET /api/v1/:user_id/tasks': {
    operationId: 'listTasks',
    summary: 'List the caller’s tasks',
    description: `Open tasks first, then by due date, tasks without a date last. ${ownPathNote} Tasks belong to the organization in \`X-Org-Id\`; a task whose document was deleted has no \`document_id\`.`,
    params: { user_id: z.string() },
    querystring: taskListQuery,
    errors: ['not_your_path'],
    response: { 200: taskList },
  },
  'POST /api/v1/:user_id/tasks': {
    operationId: 'createTask',
    summary: 'Create a task',
    description: `\`document_id\` is a document of the organization. \`due_at\` can be a date without a time, which is returned as a date and sorted as noon in UTC. ${ownPathNote}`,
    params: { user_id: z.string() },
    body: createTaskBody,
    errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write'],
    response: { 201: task },
  },
  'GET /api/v1/:user_id/tasks/:task_id': {
    operationId: 'getTask',
    summary: 'Get a task',
    description: ownPathNote,
    params: { user_id: z.string(), task_id: taskId },
    errors: ['not_your_path', 'task_not_found'],
    response: { 200: task },
  },
  'GET /api/v1/:user_id/tasks/:task_id/versions': {
    operationId: 'listTaskVersions',
    summary: 'List the earlier versions of a task',
    description: `Newest first, for 30 days, also of a deleted task. ${ownPathNote}`,
    params: { user_id: z.string(), task_id: taskId },
    querystring: pageQuery,
    errors: ['not_your_path', 'task_not_found'],
    response: { 200: taskVersionList },
  },
  'PUT /api/v1/:user_id/tasks/:task_id': {
    operationId: 'updateTask',
    summary: 'Change a task',
    description: `Omitted fields stay as they are; null removes description, document or date. \`is_completed: false\` opens the task again. ${ownPathNote}`,
    params: { user_id: z.string(), task_id: taskId },
    body: updateTaskBody,
    errors: ['unknown_reference', 'not_your_path', 'viewer_cannot_write', 'task_not_found', 'version_conflict'],
    response: { 200: task },
  },
  'PATCH /api/v1/:user_id/tasks/:task_id/complete': {
    operationId: 'completeTask',
    summary: 'Mark a task as done',
    description: `Needs no body; \`{ "is_completed": false }\` opens the task again. A repeated request changes nothing. ${ownPathNote}`,
    params: { user_id: z.string(), task_id: taskId },
    body: completeTaskBody,
    errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
    response: { 200: task },
  },
  'DELETE /api/v1/:user_id/tasks/:task_id': {
    operationId: 'deleteTask',
    summary: 'Delete a task',
    description: `Can be undone for 30 days by its entry in the audit log, as each change of a task. ${ownPathNote}`,
    params: { user_id: z.string(), task_id: taskId },
    errors: ['not_your_path', 'viewer_cannot_write', 'task_not_found'],
    response: { 204: z.undefined() },
  },
});
