import type { Session } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession, endSessions, sessionsQuery } from '../../shared/api/account/identity-api.ts';
import { formatMoment, fullMoment } from '../../shared/formats/format-document.ts';
import { panelClass } from '../../shared/page/page.tsx';
import { lostBySignOut, useClearSession } from '../../shared/page/use-sign-out.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { DataTable, type TableColumn } from '../../shared/ui/data-table.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { deviceName } from './device-name.ts';
import { PageSection } from '../../shared/page/page-section.tsx';

/** Lists the user's sessions and ends them. */
export function SessionSettings() {
  const { me } = useSession();
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session>();
  const [isLeaving, setLeaving] = useState(false);
  const columns: TableColumn<Session>[] = [
    {
      label: 'Device',
      render: ({ user_agent, address }) => (
        <>
          <span className="block truncate font-medium" title={user_agent}>
            {deviceName(user_agent)}
          </span>
          <span className="block truncate text-xs text-ink-soft">{address}</span>
        </>
      ),
    },
    {
      label: 'Since',
      className: 'w-28 text-ink-soft',
      render: ({ created_at }) => <span title={fullMoment(created_at)}>{formatMoment(created_at)}</span>,
    },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-20 text-right',
      render: (session) =>
        session.is_current ? (
          <span className="text-xs text-ink-soft">This one</span>
        ) : (
          <Button
            size="small"
            aria-label={`End the session of ${deviceName(session.user_agent)}`}
            onClick={() => setEnding(session)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <PageSection
      title="Sessions"
      note="Where you are signed in."
      actions={me.user.has_password && <Button onClick={() => setLeaving(true)}>Sign out everywhere</Button>}
    >
      {sessions.isError ? (
        <RetryNotice error={sessions.error} retry={() => void sessions.refetch()} />
      ) : (
        <div className={panelClass}>
          <DataTable label="Sessions" columns={columns} items={sessions.data?.sessions} keyOf={({ id }) => id} />
        </div>
      )}
      {ending && (
        <ConfirmDialog
          title="End this session?"
          description={`${deviceName(ending.user_agent)} is signed out at once.`}
          action="End session"
          run={async () => {
            await endSession(ending.id);
            await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </PageSection>
  );
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const clearSession = useClearSession();
  const [accessTokens, setAccessTokens] = useState(false);
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      description={['All your sessions end, including this one.', lostBySignOut()].filter(Boolean).join(' ')}
      action="Sign out"
      run={async () => {
        await endSessions({ accessTokens });
        clearSession();
      }}
      onClose={onClose}
    >
      <CheckField label="Also revoke my access tokens" checked={accessTokens} onChange={setAccessTokens} />
    </ConfirmDialog>
  );
}
