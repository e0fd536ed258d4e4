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
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { ScheduleService } from './schedule-service.ts';

const operation = operationsOf('schedules');
const listPath = z.object({ org_id: objectId });
const schedulePath = listPath.extend({ schedule_id: objectId });
const path = '/v0/orgs/:org_id/schedules';

const rights =
  'Admins change all schedules, members those they created; viewers read. A run acts in the name of the schedule’s creator, with their current rights and rules. If the creator has left the organization or become a viewer, the run fails with that reason, until an admin changes the schedule in any way and becomes its owner.';
const times =
  'Either `cron` (five fields: minute, hour, day of month, month, weekday) in `timezone` (IANA; default: UTC), or `every` (`15m`, `6h`, `1d`, `2w`; from 1m to 366d, counted from the creation or the last change of the times). When the clocks change, a repeated time is due once, a skipped time is due right after; hourly schedules run in each hour. Times missed while no worker ran count as one. If a run is still active when the next is due, the next is `skipped`: one record counts all times that one run blocks in `skipped_times`. Runs are stored for 90 days after their end.';
const selection =
  '`filter` selects by all of `tag_ids`, any of `states`, a part of the name, and `without_result` (no extraction yet; with `prompt_id`, none of that prompt). Oldest documents come first, `max_documents` in one run (default and maximum: 1,000). `prompt_id` belongs to `run_extraction` and means its newest revision; without it, each document’s own prompt is used. `message` belongs to `auto_create` and replaces its first message.';

export const scheduleRoutes: FastifyPluginAsyncZod<{
  services: { schedules: (actor: Actor) => ScheduleService };
}> = async (app, { services: { schedules } }) => {
  app.get(
    path,
    operation({
      operationId: 'listSchedules',
      summary: 'List schedules',
      description: `Newest first. ${rights}`,
      params: listPath,
      querystring: scheduleListQuery,
      response: { 200: scheduleList },
    }),
    async (request) => schedules(request.actor).list(request.query),
  );

  app.post(
    path,
    operation({
      operationId: 'createSchedule',
      summary: 'Create a schedule',
      description: `${times} ${selection} ${rights}`,
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
    }),
    async (request, reply) => reply.code(201).send(await schedules(request.actor).create(request.body)),
  );

  app.post(
    `${path}/next_times`,
    operation({
      operationId: 'previewSchedule',
      summary: 'Preview the times of a schedule',
      description: `Creates nothing: returns the next three times of \`cron\` or \`every\`, counted from now. ${times}`,
      params: listPath,
      body: nextTimesBody.meta({ examples: [{ every: '6h' }] }),
      errors: ['invalid_cron', 'invalid_every', 'invalid_schedule', 'invalid_timezone'],
      response: { 200: nextTimes },
    }),
    async (request) => schedules(request.actor).nextTimes(request.body),
  );

  app.get(
    `${path}/:schedule_id`,
    operation({
      operationId: 'getSchedule',
      summary: 'Get a schedule',
      params: schedulePath,
      errors: ['schedule_not_found'],
      response: { 200: schedule },
    }),
    async (request) => schedules(request.actor).get(request.params.schedule_id),
  );

  app.patch(
    `${path}/:schedule_id`,
    operation({
      operationId: 'updateSchedule',
      summary: 'Change a schedule',
      description: `Omitted fields stay as they are; null removes \`prompt_id\`, \`message\` or \`max_documents\`; \`cron\` replaces \`every\` and vice versa. An active run does not change.`,
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
    }),
    async (request) => schedules(request.actor).update(request.params.schedule_id, request.body),
  );

  app.delete(
    `${path}/:schedule_id`,
    operation({
      operationId: 'deleteSchedule',
      summary: 'Delete a schedule',
      description: 'Its runs stay in the list of runs; an active run continues until it ends or is stopped.',
      params: schedulePath,
      errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await schedules(request.actor).delete(request.params.schedule_id);
      return reply.code(204).send();
    },
  );

  app.post(
    `${path}/:schedule_id/run`,
    operation({
      operationId: 'runSchedule',
      summary: 'Run a schedule now',
      description: 'In the name of the caller, also while the schedule is disabled. The next due time does not change.',
      params: schedulePath,
      errors: ['not_yours', 'viewer_cannot_write', 'schedule_not_found', 'run_going', 'too_many_runs'],
      response: { 202: run },
    }),
    async (request, reply) => reply.code(202).send(await schedules(request.actor).run(request.params.schedule_id)),
  );

  app.get(
    `${path}/:schedule_id/runs`,
    operation({
      operationId: 'listRunsOfSchedule',
      summary: 'List the runs of a schedule',
      description: 'Newest first, including skipped ones.',
      params: schedulePath,
      querystring: scheduleRunListQuery,
      errors: ['schedule_not_found'],
      response: { 200: runList },
    }),
    async (request) => schedules(request.actor).runsOf(request.params.schedule_id, request.query),
  );
};
