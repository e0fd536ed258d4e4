import {
  createScheduleBody,
  nextTimes,
  nextTimesBody,
  objectId,
  patchScheduleBody,
  run,
  runList,
  schedule,
  scheduleList,
  scheduleListQuery,
  scheduleRunListQuery,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { ScheduleService } from './schedule-service.ts';

const tags = ['schedules'];
const listPath = z.object({ org_id: objectId });
const schedulePath = listPath.extend({ schedule_id: objectId });
const path = '/v0/orgs/:org_id/schedules';

const who =
  'Admins change all schedules, members those they made; viewers read. A run is in the name of who made the schedule, with their rights and rules as they are then; where they have left the organization or have become viewers, it fails and says so, until an admin changes the schedule in any way, which makes it theirs.';
const when =
  'Either `cron` (five fields: minute, hour, day of month, month, weekday) in `timezone` (IANA; UTC without one), or `every` (`15m`, `6h`, `1d`, `2w`; from 1m to 366d, counted from when it was made or its times were changed). Where the clocks change, a time that comes twice is due once, a time that is skipped is due right after; what runs every hour runs in each hour. Times that were missed while no worker ran count as one. A run that still goes when the next is due makes that one `skipped`, which is recorded: all times that one run holds up in one record, with `skipped_times`. Runs are kept for 90 days after their end.';
const what =
  '`filter` narrows by all of `tag_ids`, any of `states`, a part of the name, and `without_result` (no extraction yet; of `prompt_id`, where one is named); the oldest documents come first, `max_documents` (1,000 without it, and at most) in one run. `prompt_id` goes with `run_extraction`, in its newest revision; without it each document’s own is taken. `message` goes with `auto_create` and takes the place of its first message.';

export const scheduleRoutes: FastifyPluginAsyncZod<{
  services: { schedules: (actor: Actor) => ScheduleService };
}> = async (app, { services: { schedules } }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listSchedules',
        summary: 'List schedules',
        description: `The newest first. ${who}`,
        params: listPath,
        querystring: scheduleListQuery,
        response: { 200: scheduleList },
      },
    },
    async (request) => schedules(request.actor).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createSchedule',
        summary: 'Create a schedule',
        description: `${when} ${what} ${who}`,
        params: listPath,
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
    },
    async (request, reply) => reply.code(201).send(await schedules(request.actor).create(request.body)),
  );

  app.post(
    `${path}/next_times`,
    {
      schema: {
        tags,
        operationId: 'previewSchedule',
        summary: 'When a schedule would be due',
        description: `Makes nothing: the next three times of \`cron\` or \`every\`, as if a schedule were made with it now. ${when}`,
        params: listPath,
        body: nextTimesBody.meta({ examples: [{ every: '6h' }] }),
        errors: ['invalid_cron', 'invalid_every', 'invalid_schedule', 'invalid_timezone'],
        response: { 200: nextTimes },
      },
    },
    async (request) => schedules(request.actor).nextTimes(request.body),
  );

  app.get(
    `${path}/:schedule_id`,
    {
      schema: {
        tags,
        operationId: 'getSchedule',
        summary: 'Get a schedule',
        params: schedulePath,
        errors: ['schedule_not_found'],
        response: { 200: schedule },
      },
    },
    async (request) => schedules(request.actor).get(request.params.schedule_id),
  );

  app.patch(
    `${path}/:schedule_id`,
    {
      schema: {
        tags,
        operationId: 'updateSchedule',
        summary: 'Change a schedule',
        description: `What is left out stays; null takes \`prompt_id\`, \`message\` or \`max_documents\` away; \`cron\` takes the place of \`every\` and the other way round. A run that goes is not changed.`,
        params: schedulePath,
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
        ],
        response: { 200: schedule },
      },
    },
    async (request) => schedules(request.actor).update(request.params.schedule_id, request.body),
  );

  app.delete(
    `${path}/:schedule_id`,
    {
      schema: {
        tags,
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule',
        description: 'Its runs stay among the runs; one that goes goes on until its end or until it is stopped.',
        params: schedulePath,
        errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await schedules(request.actor).delete(request.params.schedule_id);
      return reply.code(204).send();
    },
  );

  app.post(
    `${path}/:schedule_id/run`,
    {
      schema: {
        tags,
        operationId: 'runSchedule',
        summary: 'Run a schedule now',
        description: 'In the name of who asks, also while it is disabled; when it is due next stays as it is.',
        params: schedulePath,
        errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found', 'run_going', 'too_many_runs'],
        response: { 202: run },
      },
    },
    async (request, reply) => reply.code(202).send(await schedules(request.actor).run(request.params.schedule_id)),
  );

  app.get(
    `${path}/:schedule_id/runs`,
    {
      schema: {
        tags,
        operationId: 'listRunsOfSchedule',
        summary: 'List the runs of a schedule',
        description: 'The newest first, those among them that were skipped.',
        params: schedulePath,
        querystring: scheduleRunListQuery,
        errors: ['schedule_not_found'],
        response: { 200: runList },
      },
    },
    async (request) => schedules(request.actor).runsOf(request.params.schedule_id, request.query),
  );
};
