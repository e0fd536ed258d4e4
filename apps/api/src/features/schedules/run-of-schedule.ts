import type { NewRun } from '../runs/index.ts';
import type { StoredSchedule } from './schedule-repository.ts';

/** The fields that a run takes from its schedule when it starts. */
export function runOf(schedule: StoredSchedule): Omit<NewRun, 'trigger' | 'requested_by' | 'role' | 'due_at'> {
  return {
    schedule_id: schedule.id,
    action: schedule.action,
    filter: schedule.filter,
    named_ids: null,
    max_documents: schedule.max_documents,
    prompt_id: schedule.prompt_id,
    replace: schedule.replace ?? null,
    on_ask: schedule.on_ask ?? 'deny',
    message: schedule.message,
    auto_approved_tools: [],
  };
}
