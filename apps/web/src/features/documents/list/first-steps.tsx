import type { AuditEntry } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Circle } from 'lucide-react';
import { auditListQuery } from '../../../shared/api/audit-api.ts';
import { allSchedulesQuery } from '../../../shared/api/schedules-api.ts';
import { isFirstTry } from '../../../shared/http/first-try.ts';
import { useEffect } from 'react';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';

/** A workspace with more audit entries than this is no longer new. */
const maxEntries = 100;

type FirstStepsState = ReturnType<typeof useFirstSteps>;

/** Whether a workspace has been used so much that the steps are no longer needed. */
const isOld = (entries: AuditEntry[] | undefined) => entries !== undefined && entries.length >= maxEntries;

/** Reads how far the user of a new workspace has come. */
export function useFirstSteps() {
  const { orgId, canWrite } = useSession();
  const [closed, setClosed] = useStoredValue(`docwright.first-steps.${orgId}`);
  const enabled = canWrite && closed === null;
  const entries = useQuery({ ...auditListQuery(orgId, {}, 0, maxEntries), enabled });
  const schedules = useQuery({ ...allSchedulesQuery(orgId), enabled, refetchInterval: false });
  // Later visits neither ask nor wait.
  const isNew = !isOld(entries.data?.entries);
  useEffect(() => {
    if (!isNew) setClosed('closed');
  }, [isNew, setClosed]);
  return {
    /** It is not known yet whether the steps are shown: components below them should wait. */
    isPending: enabled && (isFirstTry(entries) || isFirstTry(schedules)),
    entries: enabled ? entries.data?.entries : undefined,
    hasSchedules: schedules.data && schedules.data.total_count > 0,
    close: () => setClosed('closed'),
  };
}

interface FirstStepsProps {
  state: FirstStepsState;
  hasDocuments: boolean;
}

/** The first steps of a new workspace, with check marks; hidden once all are done or the user closes it. */
export function FirstSteps({ state: { entries, hasSchedules, close }, hasDocuments }: FirstStepsProps) {
  const { organization } = useSession();
  if (entries === undefined || hasSchedules === undefined) return null;
  const steps = [
    { label: 'Upload a document', done: hasDocuments },
    { label: 'Open it and ask the agent', done: entries.some(({ kind }) => kind === 'proposed') },
    { label: 'Approve what it proposes', done: entries.some(({ decision }) => decision === 'approved') },
    {
      label: 'Automate it',
      done: organization.auto_create_default || hasSchedules,
      to: '/schedules/new' as const,
    },
  ];
  if (steps.every(({ done }) => done) || isOld(entries)) return null;
  return (
    <section
      aria-label="First steps"
      className="flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg border border-line px-4 py-2 text-sm"
    >
      <ol className="flex flex-1 flex-wrap gap-x-5 gap-y-1">
        {steps.map(({ label, done, to }) => (
          <li key={label} className={`flex items-center gap-1.5 ${done ? 'text-ink-soft' : ''}`}>
            {done ? (
              <CircleCheck aria-label="Done" className="size-4 text-good" />
            ) : (
              <Circle aria-label="To do" className="size-4 text-ink-faint" />
            )}
            {to === undefined || done ? (
              label
            ) : (
              <Link to={to} className="underline underline-offset-2">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <Button size="small" look="quiet" onClick={close}>
        Close
      </Button>
    </section>
  );
}
