import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { run, runList, scheduleRunListQuery } from './runs.ts';
import {
  createScheduleBody,
  nextTimes,
  nextTimesBody,
  patchScheduleBody,
  schedule,
  scheduleList,
  scheduleListQuery,
} from './schedules.ts';

const rights =
  'Admins change all schedules, members those they created; viewers read. A run acts in the name of the schedule’s creator, with their current rights and rules. If the creator has left the organization or become a viewer, the run fails with that reason, until an admin changes the schedule in any way and becomes its owner.';
const times =
  'Either `cron` (five fields: minute, hour, day of month, month, weekday) in `timezone` (IANA; default: UTC), or `every` (`15m`, `6h`, `1d`, `2w`; from 1m to 366d, counted from the creation or the last change of the times). When the clocks change, a repeated time is due once, a skipped time is due right after; hourly schedules run in each hour. Times missed while no worker ran count as one. If a run is still active when the next is due, the next is `skipped`: one record counts all times that one run blocks in `skipped_times`. Runs are stored for 90 days after their end.';
const selection =
  '`filter` selects by all of `tag_ids`, any of `states`, a part of the name, and `without_result` (no extraction yet; with `prompt_id`, none of that prompt). Oldest documents come first, `max_documents` in one run (default and maximum: 1,000). `prompt_id` belongs to `run_extraction` and means its newest revision; without it, each document’s own prompt is used. `message` belongs to `auto_create` and replaces its first message.';

export const scheduleOperations = describeOperations('schedules', {
  'GET /v0/orgs/:org_id/schedules': {
    operationId: 'listSchedules',
    summary: 'List schedules',
    description: `Newest first. ${rights}`,
    querystring: scheduleListQuery,
    response: { 200: scheduleList },
  },
  'POST /v0/orgs/:org_id/schedules': {
    operationId: 'createSchedule',
    summary: 'Create a schedule',
    description: `${times} ${selection} ${rights}`,
    body: createScheduleBody.meta({
      examples: [
        {
          name: 'Nightly',
          cron: '0 3 * * *',
          timezone: 'Europe/Berlin',
          action: 'run_extraction',
          filter: { without_result: true },
          enabled: true,
        },
      ],
    }),
    errors: [
      'invalid_cron',
      'invalid_every',
      'invalid_schedule',
      'invalid_timezone',
      'too_many_schedules',
      'unknown_reference',
      'viewer_cannot_write',
    ],
    response: { 201: schedule },
  },
  'POST /v0/orgs/:org_id/schedules/next_times': {
    operationId: 'previewSchedule',
    summary: 'Preview the times of a schedule',
    description: `Creates nothing: returns the next three times of \`cron\` or \`every\`, counted from now. ${times}`,
    body: nextTimesBody.meta({ examples: [{ every: '6h' }] }),
    errors: ['invalid_cron', 'invalid_every', 'invalid_schedule', 'invalid_timezone'],
    response: { 200: nextTimes },
  },
  'GET /v0/orgs/:org_id/schedules/:schedule_id': {
    operationId: 'getSchedule',
    summary: 'Get a schedule',
    errors: ['schedule_not_found'],
    response: { 200: schedule },
  },
  'PATCH /v0/orgs/:org_id/schedules/:schedule_id': {
    operationId: 'updateSchedule',
    summary: 'Change a schedule',
    description: `Omitted fields stay as they are; null removes \`prompt_id\`, \`message\` or \`max_documents\`; \`cron\` replaces \`every\` and vice versa. An active run does not change.`,
    body: patchScheduleBody.meta({ examples: [{ enabled: false }] }),
    errors: [
      'invalid_cron',
      'invalid_every',
      'invalid_schedule',
      'invalid_timezone',
      'unknown_reference',
      'not_yours',
      'viewer_cannot_write',
      'schedule_not_found',
      'version_conflict',
    ],
    response: { 200: schedule },
  },
  'DELETE /v0/orgs/:org_id/schedules/:schedule_id': {
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule',
    description: 'Its runs stay in the list of runs; an active run continues until it ends or is stopped.',
    errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found'],
    response: { 204: z.undefined() },
  },
  'POST /v0/orgs/:org_id/schedules/:schedule_id/run': {
    operationId: 'runSchedule',
    summary: 'Run a schedule now',
    description: 'In the name of the caller, also while the schedule is disabled. The next due time does not change.',
    errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found', 'run_going', 'too_many_runs'],
    response: { 202: run },
  },
  'GET /v0/orgs/:org_id/schedules/:schedule_id/runs': {
    operationId: 'listRunsOfSchedule',
    summary: 'List the runs of a schedule',
    description: 'Newest first, including skipped ones.',
    querystring: scheduleRunListQuery,
    errors: ['schedule_not_found'],
    response: { 200: runList },
  },
});
