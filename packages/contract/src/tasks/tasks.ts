import { z } from 'zod';
import { isShown, objectId, pageInfo, pageQuery, recordId, seenFields, timestamp, yesOrNo } from '../base/fields.ts';

/** A task's id: a uuid. */
export const taskId = z.guid('A task’s id is a uuid.').toLowerCase();

/** One line of text: line breaks and control characters become spaces. */
export const taskTitle = z
  .string()
  // Ends before the search for line breaks, which would take long in a long text.
  .max(5000, { abort: true, error: 'A title has at most 300 characters.' })
  .overwrite((text) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  .refine(isShown, 'A task needs a title.')
  .max(300);
export const taskDescription = z.string().trim().max(5000);

/** The due date of a task: a date and time with its zone, or a date alone (`2026-11-27`), which is stored without a time. */
export const dueAt = z
  .string()
  .max(40)
  .transform((text, context) => {
    if (isDateAlone(text) && isPlausible(text)) return text;
    if (z.iso.datetime({ offset: true }).safeParse(text).success && isPlausible(text))
      return new Date(text).toISOString();
    context.addIssue('A due date is written 2026-11-27, or with time and zone 2026-11-27T15:00:00Z.');
    return z.NEVER;
  });

/** Whether a due date has no time: `2026-11-27`. */
export function isDateAlone(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Whether the year is plausible. */
function isPlausible(date: string): boolean {
  const year = new Date(date).getUTCFullYear();
  return year >= 1900 && year < 2200;
}

/** A user's task. Optional fields are absent if they are not set. */
export const task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  is_completed: z.boolean(),
  /** Also absent while the document is deleted. */
  document_id: recordId.optional(),
  /** As it was given: `2026-11-27`, or a date and time in UTC. */
  due_at: z.string().optional(),
  created_at: timestamp,
  /** Counts from 1; each change is a new version. */
  version: z.number().int(),
});
export type Task = z.infer<typeof task>;

/** An earlier version of a task, with who replaced it. */
export const taskVersion = task.extend({
  replaced_at: timestamp,
  replaced_by: recordId.optional(),
  /** What replaced it: `update_task` or `delete_task`. */
  tool: z.string(),
});
export const taskVersionList = pageInfo.extend({ versions: z.array(taskVersion) });
export type TaskVersionList = z.infer<typeof taskVersionList>;

export const taskList = pageInfo.extend({ tasks: z.array(task) });
export const taskListQuery = pageQuery.extend({
  is_completed: yesOrNo.optional(),
  /** Part of the title. */
  title_search: z.string().max(300).optional(),
  document_id: objectId.optional(),
});

export const createTaskBody = z.object({
  title: taskTitle,
  description: taskDescription.nullish(),
  document_id: objectId.nullish(),
  due_at: dueAt.nullish(),
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

/** Omitted fields are unchanged; null removes a value. */
export const updateTaskBody = z.object({
  seen: seenFields,
  title: taskTitle.optional(),
  description: taskDescription.nullish(),
  document_id: objectId.nullish(),
  due_at: dueAt.nullish(),
  is_completed: z.boolean().optional(),
});
export type UpdateTaskBody = z.output<typeof updateTaskBody>;

/** Without a body or the field, the task is completed. */
export const completeTaskBody = z.object({ is_completed: z.boolean().default(true) }).nullish();
