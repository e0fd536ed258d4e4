import type { DocumentFilter, PatchScheduleBody, Schedule, ScheduleAction } from '@docwright/contract';
import type { NewSchedule } from '../../shared/api/schedules-api.ts';
import { localTimezone } from '../../shared/formats/timing-labels.ts';
import { newTiming, timingBody, timingFields, type TimingFields } from '../../shared/formats/timing.ts';

/** The form of a schedule; what goes with the other action only is kept, and not sent. */
export interface ScheduleFields {
  name: string;
  timing: TimingFields;
  action: ScheduleAction;
  filter: DocumentFilter;
  /** Empty: each document's own prompt. */
  promptId: string;
  /** Empty: the usual first message. */
  message: string;
  /** Empty: as many as one run may have. */
  maxDocuments: string;
  enabled: boolean;
}

export function scheduleFields(schedule: Schedule | undefined): ScheduleFields {
  return {
    name: schedule?.name ?? '',
    timing: schedule ? timingFields(schedule) : newTiming(localTimezone()),
    action: schedule?.action ?? 'run_extraction',
    // What a run has done, the next need not do again.
    filter: schedule?.filter ?? { without_result: true },
    promptId: schedule?.prompt_id ?? '',
    message: schedule?.message ?? '',
    maxDocuments: schedule?.max_documents?.toString() ?? '',
    enabled: schedule?.enabled ?? true,
  };
}

/** What the form sends; for a change, null takes prompt, message or limit away. */
export function scheduleBodies(fields: ScheduleFields): { create: NewSchedule; change: PatchScheduleBody } {
  const { name, timing, action, filter, enabled } = fields;
  const both = { name: name.trim(), ...timingBody(timing), action, filter, enabled };
  const prompt_id = action === 'run_extraction' && fields.promptId !== '' ? fields.promptId : null;
  const message = action === 'auto_create' && fields.message.trim() !== '' ? fields.message.trim() : null;
  const max_documents = fields.maxDocuments === '' ? null : Number(fields.maxDocuments);
  const change = { ...both, prompt_id, message, max_documents };
  const create: NewSchedule = {
    ...both,
    ...(prompt_id === null ? {} : { prompt_id }),
    ...(message === null ? {} : { message }),
    ...(max_documents === null ? {} : { max_documents }),
  };
  return { create, change };
}
