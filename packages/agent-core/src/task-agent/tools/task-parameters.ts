import { dueAt, taskDescription, taskId, taskTitle } from '@docwright/contract';
import { z } from 'zod';

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
