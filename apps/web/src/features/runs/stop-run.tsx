import type { Run } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useState } from 'react';
import { runQuery, stopRun } from '../../shared/api/runs-api.ts';
import { scheduleQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';

/** For who asked for the run, who made its schedule, and admins; everybody else is told whom to ask. */
export function StopRun({ run }: { run: Run }) {
  const { orgId, me, organization, canWrite } = useSession();
  const queryClient = useQueryClient();
  const memberName = useMemberName();
  const [asking, setAsking] = useState(false);
  const maker = useQuery({
    ...scheduleQuery(orgId, run.schedule_id ?? ''),
    enabled: run.schedule_id !== null && organization.role !== 'admin',
    retry: false,
  }).data?.created_by;
  const may = organization.role === 'admin' || (canWrite && (run.requested_by === me.user.id || maker === me.user.id));
  if (!may) {
    const name = memberName(run.requested_by);
    return <p className="text-sm text-ink-soft">{name === '' ? 'An admin' : `${name} or an admin`} may stop it.</p>;
  }
  const left = run.waiting + run.running;
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Square aria-hidden className="size-3.5" /> Stop…
      </Button>
      {asking && (
        <ConfirmDialog
          title="Stop this run?"
          description={`${left === 1 ? 'One document is' : `${left} documents are`} not through yet. Those that wait are cancelled; those that are worked on end at their next safe point. What is done stays.`}
          action="Stop it"
          keep="Let it go on"
          run={async () => {
            queryClient.setQueryData(runQuery(orgId, run.id).queryKey, await stopRun(orgId, run.id));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
