import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { RunRepository } from '../runs/index.ts';
import type { DueScheduleRepository } from './due-schedule-repository.ts';
import { runOf } from './run-of-schedule.ts';
import type { StoredSchedule } from './schedule-repository.ts';
import { timingOf } from './schedule-service.ts';
import { nextDue } from './schedule-timing.ts';

interface DueScheduleDependencies {
  due: DueScheduleRepository;
  runsOf: (organizationId: string) => Pick<RunRepository, 'insert' | 'insertSkipped'>;
  /** Makes a worker poll the runs now. */
  wake: () => Promise<void>;
  now?: () => Date;
  log: { error(fields: object, message: string): void };
}

const stillActive = {
  code: 'run_still_going',
  message: 'The previous run was still active when this one was due.',
};

/** Starts due runs. Any number of processes can work concurrently: a unique index allows one run for each due time. */
export function createDueScheduleService({ due, runsOf, wake, log, now = () => new Date() }: DueScheduleDependencies) {
  const aside = createSetAside({ log, failure: 'the run of a schedule could not be started' });

  /** Null if the schedule has no further time, or an invalid one. */
  function timeAfter(schedule: StoredSchedule, after: Date): Date | null {
    try {
      return nextDue(timingOf(schedule), after) ?? null;
    } catch (error) {
      log.error(
        { err: error, schedule_id: schedule.id },
        'computing the next due time of a schedule failed; the schedule does not run until it is changed',
      );
      return null;
    }
  }

  /** False if the run before is still active. */
  async function start(schedule: StoredSchedule, due_at: Date): Promise<boolean> {
    const runs = runsOf(schedule.organization_id);
    const run = {
      ...runOf(schedule),
      trigger: 'due' as const,
      requested_by: schedule.created_by,
      role: schedule.role,
      due_at,
    };
    if ((await runs.insert(run)) !== undefined) return true;
    await runs.insertSkipped(run, stillActive);
    return false;
  }

  return {
    /** Starts a run of each due schedule. Missed times count as one. */
    async startDue(signal: AbortSignal) {
      while (!signal.aborted) {
        const at = now();
        const schedule = await due.nextDue(at, aside.ids());
        if (schedule === undefined || schedule.next_due_at === null) return;
        let isStarted = false;
        const { id, next_due_at } = schedule;
        const isDone = await aside.work(id, async () => (isStarted = await start(schedule, next_due_at)));
        if (!isDone) continue;
        await due.setNextDue(schedule, timeAfter(schedule, at));
        if (isStarted) await wake();
      }
    },
    /** Corrects due times that a fast clock has set too late, or that are no dates: such a schedule would never run. */
    async correctDueTimes() {
      for await (const schedule of due.upcoming()) {
        const next = timeAfter(schedule, now());
        const time: unknown = schedule.next_due_at;
        if (!(time instanceof Date) || (next !== null && next < time)) await due.setNextDue(schedule, next);
      }
    },
  };
}
