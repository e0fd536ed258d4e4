import type { Run } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScheduleName } from '../../shared/labels/use-schedule-name.ts';
import { momentLabel, localTimezone } from '../../shared/formats/timing-labels.ts';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { durationLabel, runOutcomeLabel, runActionLabels, runStateLabel } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';

/** A link to a run, with the time when it was requested. */
function RunLink({ run, below }: { run: Run; below: ReactNode }) {
  return (
    <div className="min-w-0 py-0.5">
      <Link to="/runs/$runId" params={{ runId: run.id }} className={rowLinkClass}>
        <time dateTime={run.created_at}>{momentLabel(run.created_at, localTimezone())}</time>
      </Link>
      {below}
    </div>
  );
}

/** The schedule or the message of a run. */
function RunOrigin({ run }: { run: Run }) {
  const scheduleName = useScheduleName();
  if (run.schedule_id === null) return <span className="block truncate">{run.message ?? 'A direct run'}</span>;
  const name = scheduleName(run.schedule_id);
  return (
    <span className="block truncate">
      {name ?? 'Deleted schedule'}
      {run.trigger === 'manual' && <span className="text-ink-faint"> · by hand</span>}
    </span>
  );
}

const when: Pick<TableColumn<Run>, 'label' | 'className'> = {
  label: 'Started',
  className: 'w-52 max-md:w-auto tabular-nums',
};
const state: TableColumn<Run> = {
  label: 'State',
  className: 'w-32',
  render: (run) => <StateMark {...runStateLabel(run)} />,
};
const outcome: TableColumn<Run> = {
  label: 'Documents',
  wideOnly: true,
  className: 'text-ink-soft',
  render: (run) => (
    <span className="block truncate" title={runOutcomeLabel(run)}>
      {runOutcomeLabel(run)}
    </span>
  ),
};
const took: TableColumn<Run> = {
  label: 'Took',
  wideOnly: true,
  className: 'w-28 text-right tabular-nums text-ink-soft',
  render: ({ started_at, ended_at, state: ended }) =>
    started_at === null || ended_at === null || ended === 'skipped' ? '–' : durationLabel(started_at, ended_at),
};
const spent: TableColumn<Run> = {
  label: 'SPU',
  wideOnly: true,
  className: 'w-16 text-right tabular-nums text-ink-soft',
  render: ({ spu_used }) => spu_used.toLocaleString(),
};

export const runColumns: TableColumn<Run>[] = [
  {
    ...when,
    render: (run) => (
      <RunLink
        run={run}
        below={
          <span className="block text-xs text-ink-soft md:hidden">
            <RunOrigin run={run} />
          </span>
        }
      />
    ),
  },
  {
    label: 'Schedule or message',
    wideOnly: true,
    className: 'text-ink-soft',
    render: (run) => <RunOrigin run={run} />,
  },
  {
    label: 'Does',
    wideOnly: true,
    className: 'w-44 text-ink-soft',
    render: ({ action }) => runActionLabels[action],
  },
  state,
  outcome,
  spent,
];

/** Columns for the runs of one schedule, whose name and action are above the list. */
export const runColumnsOfSchedule: TableColumn<Run>[] = [
  {
    ...when,
    render: (run) => (
      <RunLink
        run={run}
        below={run.trigger === 'manual' && <span className="block text-xs text-ink-soft">By hand</span>}
      />
    ),
  },
  state,
  outcome,
  took,
  spent,
];
