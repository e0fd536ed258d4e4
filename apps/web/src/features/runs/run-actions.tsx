import type { Run } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { runQuery, stopRun, undoRun } from '../../shared/api/runs-api.ts';
import { scheduleQuery } from '../../shared/api/schedules-api.ts';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';

/** The server offers the undo of a run for this long. */
const undoOfferedMs = 30 * 24 * 3_600_000;

/** Stop and Undo for the user who started the run, the creator of its schedule, and admins; others see whom to ask. */
export function RunActions({ run }: { run: Run }) {
  const { orgId, me, organization, canWrite } = useSession();
  const queryClient = useQueryClient();
  const memberName = useMemberName();
  const [asking, setAsking] = useState<'stop' | 'undo'>();
  const maker = useQuery({
    ...scheduleQuery(orgId, run.schedule_id ?? ''),
    enabled: run.schedule_id !== null && organization.role !== 'admin',
    retry: false,
  }).data?.created_by;
  const isAllowed =
    organization.role === 'admin' || (canWrite && (run.requested_by === me.user.id || maker === me.user.id));
  const stops = run.ended_at === null || run.parked > 0;
  const undoes = run.ended_at !== null && isUndoable(run);
  if (!stops && !undoes) return null;
  if (!isAllowed) {
    const name = memberName(run.requested_by);
    const what = run.ended_at === null ? 'stop' : 'undo';
    return (
      <p className="text-sm text-ink-soft">
        {name === '' ? 'An admin' : `${name} or an admin`} can {what} it.
      </p>
    );
  }
  const show = (changed: Run) => void queryClient.setQueryData(runQuery(orgId, run.id).queryKey, changed);
  return (
    <>
      {stops && (
        <Button look="danger" onClick={() => setAsking('stop')}>
          <Square aria-hidden className="size-3.5" /> {run.ended_at === null ? 'Stop…' : 'Withdraw…'}
        </Button>
      )}
      {undoes && (
        <Button onClick={() => setAsking('undo')}>
          <Undo2 aria-hidden className="size-4" /> {run.undo?.state === 'incomplete' ? 'Undo the rest…' : 'Undo…'}
        </Button>
      )}
      {asking === 'stop' && (
        <ConfirmDialog
          title={run.ended_at === null ? 'Stop this run?' : 'Withdraw pending calls?'}
          description={stopDescription(run)}
          action={run.ended_at === null ? 'Stop it' : 'Withdraw'}
          cancelLabel={run.ended_at === null ? 'Let it continue' : 'Keep waiting'}
          run={async () => show(await stopRun(orgId, run.id))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'undo' && (
        <ConfirmDialog
          title="Undo this run?"
          description="Undoes all changes of the run, document by document. Later changes by people are kept and listed. Pending calls in the Inbox are withdrawn."
          action="Undo the run"
          cancelLabel="Keep it"
          run={async () => show(await undoRun(orgId, run.id))}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

function isUndoable({ created_at, started_at, undo }: Run): boolean {
  if (undo?.state === 'running' || undo?.state === 'completed' || started_at === null) return false;
  return Date.parse(created_at) + undoOfferedMs > Date.now();
}

function stopDescription({ ended_at, parked, waiting, running }: Run): string {
  const calls = parked === 1 ? 'One document waits' : `${parked.toLocaleString()} documents wait`;
  if (ended_at !== null) return `${calls} for a decision. Their calls count as rejected. Finished work is kept.`;
  const remaining = waiting + running;
  const documents = remaining === 1 ? 'One document is' : `${remaining.toLocaleString()} documents are`;
  return `${documents} not finished. Waiting documents are cancelled, including those that wait for a decision; active ones stop at the next safe point. Finished work is kept.`;
}
