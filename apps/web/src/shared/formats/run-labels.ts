import type { Run, RunAction, RunDocumentState, RunState } from '@docwright/contract';

export type Tone = 'busy' | 'neutral' | 'good' | 'bad' | 'warn';

const states: Record<RunState, { label: string; tone: Tone }> = {
  queued: { label: 'Starting', tone: 'busy' },
  running: { label: 'Running', tone: 'busy' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  stopped: { label: 'Stopped', tone: 'neutral' },
  skipped: { label: 'Skipped', tone: 'warn' },
};

/** Options of the state filter. */
export const runStateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }));

/** A completed run with failed documents is labelled as such. */
export function runStateLabel({ state, failed, succeeded }: Pick<Run, 'state' | 'failed' | 'succeeded'>): {
  label: string;
  tone: Tone;
} {
  if (state !== 'completed' || failed === 0) return states[state];
  return succeeded === 0 ? { label: 'All failed', tone: 'bad' } : { label: 'Some failed', tone: 'warn' };
}

export const documentStates: Record<RunDocumentState, { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'busy' },
  waiting: { label: 'Waiting for approval', tone: 'warn' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

export const runActionLabels: Record<RunAction, string> = {
  run_extraction: 'Extraction',
  auto_create: 'Preparation',
  chat: 'Message to the agent',
};

/** The outcomes of a run's documents: "3 succeeded, 1 failed". */
export function runOutcomeLabel(run: Run): string {
  if (run.state === 'skipped') {
    const { skipped_times: times = 1 } = run;
    return `The previous run was still active${times > 1 ? `, ${times} times` : ''}`;
  }
  if (run.state === 'failed') return run.error?.message ?? 'It could not start';
  if (run.state === 'queued' && run.total === 0) return 'Looking for documents';
  if (run.total === 0) return 'No document matched';
  const remaining = run.waiting - run.parked + run.running;
  const parts = [
    run.succeeded > 0 && `${run.succeeded} succeeded`,
    run.failed > 0 && `${run.failed} failed`,
    run.cancelled > 0 && `${run.cancelled} cancelled`,
    run.skipped > 0 && `${run.skipped} skipped`,
    run.parked > 0 && `${run.parked} waiting for approval`,
    remaining > 0 && `${remaining} to go`,
  ].filter((part) => part !== false);
  return parts.join(', ');
}

/** The share of finished documents, 0 to 1. An ended run is complete, even if documents were deleted meanwhile. */
export function progressOf({ total, succeeded, failed, cancelled, skipped, parked, ended_at }: Run): number {
  if (total === 0) return 0;
  return ended_at === null ? (succeeded + failed + cancelled + skipped + parked) / total : 1;
}

/** 1,234 ms → "1 s", 75 s → "1 min 15 s". */
export function durationLabel(from: string, to: string): string {
  const seconds = Math.max(Math.round((Date.parse(to) - Date.parse(from)) / 1000), 0);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
