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
import type { Actor } from '../identity/actor.ts';
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
const errors =
  '400: `invalid_cron`, `invalid_every`, `invalid_timezone`, `invalid_schedule` (fields that do not go together), `unknown_reference` (a tag or prompt that is not there), `too_many_schedules` (100).';

export const scheduleRoutes: FastifyPluginAsyncZod<{
  services: { schedules: (actor: Actor) => ScheduleService };
}> = async (app, { services: { schedules } }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'Schedules',
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
        summary: 'Create a schedule',
        description: `${when} ${what} ${who} ${errors}`,
        params: listPath,
        body: createScheduleBody,
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
        summary: 'When a schedule would be due',
        description: `Makes nothing: the next three times of \`cron\` or \`every\`, as if a schedule were made with it now. ${when} 400: \`invalid_cron\`, \`invalid_every\`, \`invalid_timezone\`, \`invalid_schedule\`.`,
        params: listPath,
        body: nextTimesBody,
        response: { 200: nextTimes },
      },
    },
    async (request) => schedules(request.actor).nextTimes(request.body),
  );

  app.get(
    `${path}/:schedule_id`,
    { schema: { tags, summary: 'One schedule', params: schedulePath, response: { 200: schedule } } },
    async (request) => schedules(request.actor).get(request.params.schedule_id),
  );

  app.patch(
    `${path}/:schedule_id`,
    {
      schema: {
        tags,
        summary: 'Change a schedule',
        description: `What is left out stays; null takes \`prompt_id\`, \`message\` or \`max_documents\` away; \`cron\` takes the place of \`every\` and the other way round. A run that goes is not changed. ${errors}`,
        params: schedulePath,
        body: patchScheduleBody,
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
        summary: 'Delete a schedule',
        description: 'Its runs stay among the runs; one that goes goes on until its end or until it is stopped.',
        params: schedulePath,
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
        summary: 'Run a schedule now',
        description:
          'In the name of who asks, also while it is disabled; when it is due next stays as it is. 409 `run_going` while a run of it goes.',
        params: schedulePath,
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
        summary: 'The runs of a schedule',
        description: 'The newest first, those among them that were skipped.',
        params: schedulePath,
        querystring: scheduleRunListQuery,
        response: { 200: runList },
      },
    },
    async (request) => schedules(request.actor).runsOf(request.params.schedule_id, request.query),
  );
};
