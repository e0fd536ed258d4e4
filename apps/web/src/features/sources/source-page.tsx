import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { sourceQuery } from '../../shared/api/sources-api.ts';
import { counted } from '../../shared/formats/counted.ts';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { BackLink, Page } from '../../shared/page/page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { SourceForm } from './connector/source-form.tsx';
import { SyncStatus } from './connector/sync-status.tsx';
import { sourceLabel } from './source-labels.ts';

const route = getRouteApi('/setup/sources/$sourceId');
const back = <BackLink to="/setup/sources">Sources</BackLink>;
const adminsOnly = 'Admins make and change the sources that fill themselves.';

/** A source: what it has taken, what it could not take, and its form. */
export function SourcePage() {
  const { sourceId } = route.useParams();
  const { orgId, organization, canWrite } = useSession();
  const toast = useToast();
  const query = useQuery(sourceQuery(orgId, sourceId));
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const source = query.data;
  if (source === undefined) {
    return <LoadingPage title="Source" back={back} error={query.error} retry={() => void query.refetch()} />;
  }
  const { name, connector, document_count } = source;
  return (
    <Page
      title={name}
      back={back}
      note={`${sourceLabel({ ...source, enabled: true, state: 'waiting' }, tags)} · ${counted(document_count, 'document')}`}
      actions={
        canWrite && (
          <Link to="/setup/new" search={{ source: source.id }} className={linkButtonClass('secondary')}>
            Start a setup
          </Link>
        )
      }
    >
      {connector === undefined && <Notice>This is a set of documents that are already here. It takes no files.</Notice>}
      {connector && <SyncStatus source={source} />}
      {connector && (
        <PageSection title="Settings">
          {organization.role === 'admin' ? (
            <SourceForm key={source.id} source={source} onSaved={() => toast('Saved.')} />
          ) : (
            <Notice>{adminsOnly}</Notice>
          )}
        </PageSection>
      )}
    </Page>
  );
}

/** Makes a source that fills itself. */
export function NewSourcePage() {
  const { organization } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <Page
      title="New source"
      back={back}
      note="Files of a folder, a bucket or a mailbox become documents by themselves, each once."
    >
      {organization.role === 'admin' ? (
        <SourceForm
          onSaved={(source) => {
            toast(`“${source.name}” is added. Its files are looked at now.`);
            void navigate({ to: '/setup/sources/$sourceId', params: { sourceId: source.id }, ignoreBlocker: true });
          }}
        />
      ) : (
        <Notice>{adminsOnly}</Notice>
      )}
    </Page>
  );
}
