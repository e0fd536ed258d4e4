import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { scheduleQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { canChange } from './schedule-labels.ts';

const route = getRouteApi('/schedules/$scheduleId/edit');

export function ScheduleEditPage() {
  const { scheduleId } = route.useParams();
  const session = useSession();
  const query = useQuery(scheduleQuery(session.orgId, scheduleId));
  if (query.data === undefined) {
    const retry = () => void query.refetch();
    return (
      <LoadingPage
        title="Edit schedule"
        back={<BackLink to="/schedules">Schedules</BackLink>}
        error={query.error}
        retry={retry}
      />
    );
  }
  if (canChange(session, query.data)) return <ScheduleEditor key={scheduleId} former={query.data} />;
  return (
    <Refused title={`Edit “${query.data.name}”`}>Admins can change all schedules, members those they created.</Refused>
  );
}

export function NewSchedulePage() {
  const { canWrite } = useSession();
  if (canWrite) return <ScheduleEditor former={undefined} />;
  return (
    <Refused title="New schedule">You can view this organization. Members and admins can create schedules.</Refused>
  );
}

function Refused({ title, children }: { title: string; children: string }) {
  return (
    <Page title={title} back={<BackLink to="/schedules">Schedules</BackLink>}>
      <Notice>{children}</Notice>
    </Page>
  );
}
