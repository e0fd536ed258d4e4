import {
  DomainError,
  type CreateScheduleBody,
  type DocumentFilter,
  type NextTimes,
  type NextTimesBody,
  type PageQuery,
  type PatchScheduleBody,
  type Role,
  type Run,
  type Schedule,
  type Counted,
} from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { RunService } from '../runs/index.ts';
import { runOf } from './run-of-schedule.ts';
import type { NewSchedule, ScheduleRepository, StoredSchedule } from './schedule-repository.ts';
import { checkTiming, checkTimezone, nextDue, type ScheduleTiming } from './schedule-timing.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';
import type { PageSelection } from '../../platform/database/page.ts';
import { requireSeen } from '../../platform/records/seen-edit.ts';

interface ScheduleServiceDependencies {
  schedulesOf: (organizationId: string) => ScheduleRepository;
  runs: (actor: Actor) => Pick<RunService, 'start' | 'list'>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  /** Undefined if the user is not a member of the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
}

type Page = PageQuery & Counted;

/** The schedules of one organization. Throws `schedule_not_found`. */
export type ScheduleService = ReturnType<typeof scheduleServiceFor>;

const maxSchedules = 100;

export function createScheduleService(dependencies: ScheduleServiceDependencies): (actor: Actor) => ScheduleService {
  return (actor) => scheduleServiceFor(actor, dependencies);
}

function scheduleServiceFor(actor: Actor, dependencies: ScheduleServiceDependencies) {
  const { organizationId } = actor;
  const schedules = dependencies.schedulesOf(organizationId);
  const runs = dependencies.runs(actor);

  async function getOrThrow(id: string): Promise<StoredSchedule> {
    const schedule = await schedules.get(id);
    if (schedule === undefined) throw new DomainError('not_found', 'schedule_not_found', 'There is no such schedule.');
    return schedule;
  }

  async function getOwnOrThrow(id: string): Promise<StoredSchedule> {
    requireWriter(actor);
    const schedule = await getOrThrow(id);
    if (actor.role !== 'admin' && schedule.created_by !== actor.userId) {
      const message = 'This schedule belongs to another user. Ask them or an admin.';
      throw new DomainError('forbidden', 'not_yours', message);
    }
    return schedule;
  }

  /** The new owner, if the current one can no longer start runs: the schedule would always fail. */
  async function newOwnerOf(schedule: StoredSchedule): Promise<Pick<NewSchedule, 'created_by' | 'role'> | undefined> {
    const role = await dependencies.roleOf(organizationId, schedule.created_by);
    if (role !== undefined && role !== 'viewer') return undefined;
    return { created_by: actor.userId, role: actor.role };
  }

  async function check(content: Content): Promise<void> {
    checkShape(content);
    if (content.filter.tag_ids) await dependencies.checkTags(organizationId, content.filter.tag_ids);
    if (content.prompt_id !== null && !(await dependencies.promptExists(organizationId, content.prompt_id))) {
      throw new DomainError(
        'invalid',
        'unknown_reference',
        'There is no such prompt. List the prompts and use a prompt_id from there.',
      );
    }
  }

  return {
    async list(query: PageSelection & { name_search?: string | undefined }): Promise<{ schedules: Schedule[] } & Page> {
      const { schedules: found, ...end } = await schedules.list(query);
      return { schedules: presentEach(found, present), ...end, skip: query.skip, limit: query.limit };
    },
    async get(id: string): Promise<Schedule> {
      return present(await getOrThrow(id));
    },
    /** Throws `invalid_cron`, `invalid_every`, `invalid_timezone`, `invalid_schedule`, `unknown_reference`, `too_many_schedules`. */
    async create(body: CreateScheduleBody): Promise<Schedule> {
      requireWriter(actor);
      if ((await schedules.count()) >= maxSchedules) {
        throw invalid(
          'too_many_schedules',
          `The organization has ${maxSchedules} schedules, the maximum. Delete one first.`,
        );
      }
      const { name, cron = null, every = null, timezone = 'UTC', action, enabled, on_ask } = body;
      const { prompt_id = null, message = null, max_documents = null, replace = null } = body;
      const now = new Date();
      const filter = filterOf(body);
      const content = {
        name,
        cron,
        every,
        timezone,
        action,
        filter,
        prompt_id,
        message,
        max_documents,
        replace,
        on_ask,
        enabled,
      };
      await check(content);
      const dates = { anchor_at: now, next_due_at: dueAfter({ ...content, anchor_at: now }, now), created_at: now };
      const owner = { created_by: actor.userId, role: actor.role };
      return present(await schedules.insert({ ...content, ...dates, ...owner }));
    },
    /** The next three times of a schedule created now. Throws `invalid_*` as `create` does. */
    nextTimes(body: NextTimesBody): NextTimes {
      const { cron = null, every = null, timezone = 'UTC' } = body;
      const now = new Date();
      const timing = checkedTiming({ cron, every, timezone, anchor_at: now }, now);
      const times: string[] = [];
      for (let due = nextDue(timing, now); due !== undefined && times.length < 3; due = nextDue(timing, due)) {
        times.push(due.toISOString());
      }
      return { times };
    },
    async update(id: string, { seen, ...body }: PatchScheduleBody): Promise<Schedule> {
      for (;;) {
        const read = await getOwnOrThrow(id);
        requireSeen('schedule', seen, present(read));
        const content = { ...contentOf(read), ...changeOf(body) };
        await check(content);
        const isRetimed = (['cron', 'every', 'timezone', 'enabled'] as const).some((key) => content[key] !== read[key]);
        const now = new Date();
        const dates = { anchor_at: now, next_due_at: dueAfter({ ...content, anchor_at: now }, now) };
        const change = { ...content, ...(isRetimed ? dates : {}), ...(await newOwnerOf(read)) };
        const written = await schedules.replace(read, change);
        if (written !== undefined) return present(written);
      }
    },
    async delete(id: string): Promise<void> {
      await getOwnOrThrow(id);
      await schedules.remove(id);
    },
    /** Starts a run now, also if the schedule is disabled; its times do not change. */
    async run(id: string): Promise<Run> {
      const schedule = await getOwnOrThrow(id);
      return await runs.start({
        ...runOf(schedule),
        trigger: 'manual',
        requested_by: actor.userId,
        role: actor.role,
        due_at: null,
      });
    },
    async runsOf(id: string, page: PageSelection): Promise<{ runs: Run[] } & Page> {
      await getOrThrow(id);
      return await runs.list({ ...page, schedule_id: id });
    },
  };
}

/** New schedules extract documents without a result, unless `without_result` or `replace` says otherwise. */
function filterOf({ action, filter, replace }: CreateScheduleBody): DocumentFilter {
  const isExplicit = filter.without_result !== undefined || (replace !== undefined && replace !== 'unreviewed');
  return action !== 'run_extraction' || isExplicit ? filter : { ...filter, without_result: true };
}

const contentKeys = [
  'name',
  'cron',
  'every',
  'timezone',
  'action',
  'filter',
  'prompt_id',
  'message',
  'max_documents',
  'replace',
  'on_ask',
  'enabled',
] as const;

/** The fields of a schedule that users set. */
type Content = Pick<NewSchedule, (typeof contentKeys)[number]>;

function contentOf(schedule: StoredSchedule): Content {
  return Object.fromEntries(contentKeys.map((key) => [key, schedule[key]])) as Content;
}

/** The changed fields; `cron` replaces `every` and vice versa. */
function changeOf(body: PatchScheduleBody): Partial<Content> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  const change: Partial<Content> = Object.fromEntries(entries);
  if (change.cron && change.every === undefined) change.every = null;
  if (change.every && change.cron === undefined) change.cron = null;
  return change;
}

function checkShape(content: Content): void {
  const { action, prompt_id, message, replace } = content;
  const now = new Date();
  checkedTiming({ ...content, anchor_at: now }, now);
  if (prompt_id !== null && action !== 'run_extraction') {
    throw invalid(
      'invalid_schedule',
      'prompt_id needs the action run_extraction: auto_create creates a prompt itself.',
    );
  }
  if (replace && action !== 'run_extraction') {
    throw invalid('invalid_schedule', 'replace needs the action run_extraction: auto_create creates a prompt itself.');
  }
  if (message !== null && action !== 'auto_create') {
    throw invalid('invalid_schedule', 'message needs the action auto_create: an extraction follows its prompt.');
  }
}

/** Throws `invalid_schedule`, `invalid_timezone`, `invalid_cron`, `invalid_every`. */
function checkedTiming(
  schedule: Pick<StoredSchedule, 'cron' | 'every' | 'timezone' | 'anchor_at'>,
  now: Date,
): ScheduleTiming {
  const { cron, every, timezone } = schedule;
  if ((cron === null) === (every === null)) {
    throw invalid('invalid_schedule', 'A schedule has either cron, such as "0 6 * * 1-5", or every, such as "15m".');
  }
  checkTimezone(timezone);
  const timing = timingOf(schedule);
  checkTiming(timing, now);
  return timing;
}

export function timingOf(schedule: Pick<StoredSchedule, 'cron' | 'every' | 'timezone' | 'anchor_at'>): ScheduleTiming {
  const { cron, every, timezone, anchor_at } = schedule;
  return cron === null ? { every: every ?? '', anchor: anchor_at } : { cron, timezone };
}

function dueAfter(
  schedule: Pick<StoredSchedule, 'cron' | 'every' | 'timezone' | 'anchor_at' | 'enabled'>,
  now: Date,
): Date | null {
  return schedule.enabled ? (nextDue(timingOf(schedule), now) ?? null) : null;
}

function present(schedule: StoredSchedule): Schedule {
  const { id, name, cron, every, timezone, action, filter, prompt_id, message, max_documents, enabled } = schedule;
  const { replace } = schedule;
  return {
    id,
    name,
    ...(cron === null ? {} : { cron }),
    ...(every === null ? {} : { every }),
    timezone,
    action,
    filter,
    ...(prompt_id === null ? {} : { prompt_id }),
    ...(message === null ? {} : { message }),
    ...(max_documents === null ? {} : { max_documents }),
    ...(replace ? { replace } : {}),
    on_ask: schedule.on_ask ?? 'deny',
    enabled,
    next_due_at: schedule.next_due_at?.toISOString() ?? null,
    created_at: schedule.created_at.toISOString(),
    created_by: schedule.created_by,
  };
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
