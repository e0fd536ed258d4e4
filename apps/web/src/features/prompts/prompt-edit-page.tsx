import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { promptVersionsQuery } from '../../shared/api/prompts-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { BackLink } from '../../shared/page/page.tsx';

const route = getRouteApi('/prompts/$promptId/edit');
const newRoute = getRouteApi('/prompts/new');

export function PromptEditPage() {
  const { promptId } = route.useParams();
  const { orgId } = useSession();
  const versions = useQuery(promptVersionsQuery(orgId, promptId));
  const [newest] = versions.data?.prompts ?? [];
  if (newest) return <PromptEditor key={newest.prompt_id} former={newest} />;
  return (
    <LoadingPage
      title="Edit prompt"
      back={<BackLink to="/prompts">Prompts</BackLink>}
      error={versions.error}
      retry={() => void versions.refetch()}
    />
  );
}

export function NewPromptPage() {
  const { schema } = newRoute.useSearch();
  return <PromptEditor former={undefined} schemaId={schema} />;
}
