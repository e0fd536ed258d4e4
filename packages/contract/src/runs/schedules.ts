import { z } from 'zod';
import { artifactName, objectId, pageInfo, pageQuery, recordId, seenFields, timestamp } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import { documentState } from '../documents/documents.ts';
import { replaceLevel } from '../extractions/extractions.ts';

/** What a schedule does with each document that its filter selects. */
export const scheduleAction = z.enum(['auto_create', 'run_extraction']);
export type ScheduleAction = z.infer<typeof scheduleAction>;

/** Conditions that all apply. Strict, because a misspelled condition would select every document. */
export const documentFilter = z.strictObject({
  /** Documents with all of these tags. */
  tag_ids: z.array(objectId).max(100).optional(),
  /** Documents in one of these states. */
  states: z.array(documentState).min(1).max(20).optional(),
  name_search: z.string().trim().max(200).optional(),
  /** Only documents without an extraction, or without one by `prompt_id` if that is given. */
  without_result: z.boolean().optional(),
});
export type DocumentFilter = z.infer<typeof documentFilter>;

/** Maximum number of documents of a run, and the default of `max_documents`. */
export const maxDocumentsInRun = 1_000;

export const maxDocuments = z.number().int().min(1).max(maxDocumentsInRun);
export const headlessMessage = z.string().trim().min(1).max(20_000);

/** Five fields: minute, hour, day of month, month, day of week. The fields are checked later (400), not by this schema (422). */
const cron = z.string().trim().min(1).max(200);
/** A whole number and `m`, `h`, `d` or `w`: `15m`, `6h`, `1d`. At least one minute. */
const every = z.string().trim().min(1).max(20);
/** An IANA name, such as Europe/Berlin. */
const timezone = z.string().trim().min(1).max(100);

export const createScheduleBody = z.strictObject({
  name: artifactName,
  /** Either `cron` or `every`. */
  cron: cron.optional(),
  every: every.optional(),
  timezone: timezone.optional(),
  action: scheduleAction,
  filter: documentFilter.default({}),
  /** For `run_extraction`. Default: each document's own prompt. */
  prompt_id: objectId.optional(),
  /** For `auto_create`: replaces the default first message. */
  message: headlessMessage.optional(),
  max_documents: maxDocuments.optional(),
  /** For `run_extraction`: which edited or verified results its runs replace. By default they skip such documents. */
  replace: replaceLevel.optional(),
  /** Whether a call that needs approval is denied or waits in the inbox. */
  on_ask: onAsk.default('deny'),
  enabled: z.boolean().default(true),
});
export type CreateScheduleBody = z.infer<typeof createScheduleBody>;

/** Omitted fields are unchanged; null removes a value. `cron` and `every` replace each other. */
export const patchScheduleBody = z.strictObject({
  seen: seenFields,
  name: artifactName.optional(),
  cron: cron.optional(),
  every: every.optional(),
  timezone: timezone.optional(),
  action: scheduleAction.optional(),
  filter: documentFilter.optional(),
  prompt_id: objectId.nullable().optional(),
  message: headlessMessage.nullable().optional(),
  max_documents: maxDocuments.nullable().optional(),
  replace: replaceLevel.nullable().optional(),
  on_ask: onAsk.optional(),
  enabled: z.boolean().optional(),
});
export type PatchScheduleBody = z.infer<typeof patchScheduleBody>;

export const schedule = z.object({
  id: recordId,
  name: z.string(),
  cron: z.string().optional(),
  every: z.string().optional(),
  timezone: z.string(),
  action: scheduleAction,
  filter: documentFilter.extend({ tag_ids: z.array(z.string()).optional() }),
  prompt_id: recordId.optional(),
  message: z.string().optional(),
  max_documents: z.number().int().optional(),
  replace: replaceLevel.optional(),
  on_ask: onAsk,
  enabled: z.boolean(),
  /** null while it is disabled, or if its cron has no more due times. */
  next_due_at: timestamp.nullable(),
  created_at: timestamp,
  /** Its runs have the rights and permission rules of this user. */
  created_by: z.string(),
});
export type Schedule = z.infer<typeof schedule>;

/** Requests the due times of a schedule that would be created now. */
export const nextTimesBody = z.strictObject({
  cron: cron.optional(),
  every: every.optional(),
  timezone: timezone.optional(),
});
export type NextTimesBody = z.infer<typeof nextTimesBody>;

/** The next three due times, or fewer if there are no more. */
export const nextTimes = z.object({ times: z.array(timestamp) });
export type NextTimes = z.infer<typeof nextTimes>;

export const scheduleList = pageInfo.extend({ schedules: z.array(schedule) });
export const scheduleListQuery = pageQuery.extend({ name_search: z.string().max(200).optional() });
