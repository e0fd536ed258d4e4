import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { scheduleQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { scheduleListLink } from './schedule-list-link.tsx';
import { mayChange } from './schedule-labels.ts';

const route = getRouteApi('/schedules/$scheduleId/edit');

export function ScheduleEditPage() {
  const { scheduleId } = route.useParams();
  const session = useSession();
  const asked = useQuery(scheduleQuery(session.orgId, scheduleId));
  if (asked.data === undefined) {
    const retry = () => void asked.refetch();
    return <LoadingPage title="Edit schedule" back={scheduleListLink} error={asked.error} retry={retry} />;
  }
  if (mayChange(session, asked.data)) return <ScheduleEditor key={scheduleId} former={asked.data} />;
  return (
    <Refused title={`Edit “${asked.data.name}”`}>
      Admins change all schedules, members those they made; viewers read.
    </Refused>
  );
}

export function NewSchedulePage() {
  const { canWrite } = useSession();
  if (canWrite) return <ScheduleEditor former={undefined} />;
  return <Refused title="New schedule">You can view this organization. Members and admins make schedules.</Refused>;
}

function Refused({ title, children }: { title: string; children: string }) {
  return (
    <Page title={title} back={scheduleListLink}>
      <Notice>{children}</Notice>
    </Page>
  );
}
