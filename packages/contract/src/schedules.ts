import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, timestamp } from './base/common.ts';
import { documentState } from './documents.ts';
import { replaceLevel } from './extractions/extractions.ts';
import { artifactName } from './schemas.ts';
import { onAsk } from './base/write-origin.ts';

/** What a schedule does with each document that its filter finds. */
export const scheduleAction = z.enum(['auto_create', 'run_extraction']);
export type ScheduleAction = z.infer<typeof scheduleAction>;

/** Which documents; what is left out does not narrow. Strict: a misspelled narrowing would find every document. */
export const documentFilter = z.strictObject({
  /** Documents that carry all of them. */
  tag_ids: z.array(objectId).max(100).optional(),
  /** Documents in one of them. */
  states: z.array(documentState).min(1).max(20).optional(),
  name_search: z.string().trim().max(200).optional(),
  /** Only documents that have no extraction yet; of `prompt_id`, where one is named. */
  without_result: z.boolean().optional(),
});
export type DocumentFilter = z.infer<typeof documentFilter>;

/** The most documents that one run works through, also where `max_documents` is not given. */
export const maxDocumentsInRun = 1_000;

export const maxDocuments = z.number().int().min(1).max(maxDocumentsInRun);
export const headlessMessage = z.string().trim().min(1).max(20_000);

/** Five fields: minute, hour, day of month, month, day of week. Checked by the domain (400), not by this shape (422). */
const cron = z.string().trim().min(1).max(200);
/** A whole number and `m`, `h`, `d` or `w`: `15m`, `6h`, `1d`; a minute at least. */
const every = z.string().trim().min(1).max(20);
/** IANA, such as Europe/Berlin. */
const timezone = z.string().trim().min(1).max(100);

export const createScheduleBody = z.strictObject({
  name: artifactName,
  /** One of `cron` and `every`. */
  cron: cron.optional(),
  every: every.optional(),
  timezone: timezone.optional(),
  action: scheduleAction,
  filter: documentFilter.default({}),
  /** For `run_extraction`; without it each document's own prompt is taken, as for an extraction by hand. */
  prompt_id: objectId.optional(),
  /** For `auto_create`: the first message, in place of the usual one. */
  message: headlessMessage.optional(),
  max_documents: maxDocuments.optional(),
  /** For `run_extraction`: what of people's work its runs replace; without it they skip such documents. */
  replace: replaceLevel.optional(),
  /** What becomes of a call of its runs that would have to ask: it is denied, or waits for a decision in the inbox. */
  on_ask: onAsk.default('deny'),
  enabled: z.boolean().default(true),
});
export type CreateScheduleBody = z.infer<typeof createScheduleBody>;

/** What is left out stays; null takes away. A `cron` replaces an `every` and the other way round. */
export const patchScheduleBody = z.strictObject({
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
  /** null while it is disabled, or when its cron has no time left. */
  next_due_at: timestamp.nullable(),
  created_at: timestamp,
  /** Its runs are this person's: with their rights and rules. */
  created_by: z.string(),
});
export type Schedule = z.infer<typeof schedule>;

/** When a schedule with these times would be due, were it made now. */
export const nextTimesBody = z.strictObject({
  cron: cron.optional(),
  every: every.optional(),
  timezone: timezone.optional(),
});
export type NextTimesBody = z.infer<typeof nextTimesBody>;

/** The next three, fewer where no more come. */
export const nextTimes = z.object({ times: z.array(timestamp) });
export type NextTimes = z.infer<typeof nextTimes>;

export const scheduleList = pageInfo.extend({ schedules: z.array(schedule) });
export const scheduleListQuery = pageQuery.extend({ name_search: z.string().max(200).optional() });
