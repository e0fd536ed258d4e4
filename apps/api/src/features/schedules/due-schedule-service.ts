import type { RunRepository } from '../runs/index.ts';
import type { DueScheduleRepository } from './due-schedule-repository.ts';
import { runOf } from './run-of-schedule.ts';
import type { StoredSchedule } from './schedule-repository.ts';
import { timingOf } from './schedule-service.ts';
import { nextDue } from './schedule-timing.ts';

interface DueScheduleDependencies {
  due: DueScheduleRepository;
  runsOf: (organizationId: string) => Pick<RunRepository, 'insert' | 'insertSkipped'>;
  /** Lets a worker look for runs now. */
  wake: () => Promise<void>;
  now?: () => Date;
  log: { error(fields: object, message: string): void };
}

/** Turns due times into runs. Any number of processes may do so at once: a due time has one run, which the database holds. */
export interface DueScheduleService {
  /** Begins a run of each schedule that is due. Times that were missed count as one. */
  startDue(signal: AbortSignal): Promise<void>;
  /** Brings back what a clock that was ahead has put off too far. */
  setRight(): Promise<void>;
}

const stillGoing = {
  code: 'run_still_going',
  message: 'The run before it was still going when this one was due.',
};

export function createDueScheduleService({
  due,
  runsOf,
  wake,
  log,
  now = () => new Date(),
}: DueScheduleDependencies): DueScheduleService {
  /** null where there is no time left, or none that can be told any more. */
  function timeAfter(schedule: StoredSchedule, after: Date): Date | null {
    try {
      return nextDue(timingOf(schedule), after) ?? null;
    } catch (error) {
      log.error({ err: error, schedule_id: schedule.id }, 'when a schedule is due next cannot be told');
      return null;
    }
  }

  return {
    async startDue(signal) {
      while (!signal.aborted) {
        const at = now();
        const schedule = await due.nextDue(at);
        if (schedule === undefined || schedule.next_due_at === null) return;
        const runs = runsOf(schedule.organization_id);
        const run = {
          ...runOf(schedule),
          trigger: 'due' as const,
          requested_by: schedule.created_by,
          role: schedule.role,
          due_at: schedule.next_due_at,
        };
        const begun = await runs.insert(run);
        if (begun === undefined) await runs.insertSkipped(run, stillGoing);
        await due.moveOn(schedule, timeAfter(schedule, at));
        if (begun !== undefined) await wake();
      }
    },
    async setRight() {
      for await (const schedule of due.upcoming()) {
        const next = timeAfter(schedule, now());
        if (next !== null && schedule.next_due_at !== null && next < schedule.next_due_at) {
          await due.moveOn(schedule, next);
        }
      }
    },
  };
}
