import type { DocumentFilter, Source } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouterState } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { chatModelsQuery, tagsQuery } from '../../shared/api/library-api.ts';
import { startConversation, conversationsKey } from '../../shared/api/pipeline-agent-api.ts';
import { createSource, sourceListQuery, sourcesKey } from '../../shared/api/sources-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink, FormActions } from '../../shared/page/page.tsx';
import { type ChosenDocument, useMatching } from '../runs/index.ts';
import { isSameSource, suggestedSourceName } from '../sources/index.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { settingsFor } from './state/setup-labels.ts';
import { SourceCount, WhichSource, type SourceKind } from './which-source.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { SettingsLink } from './chat/settings-link.tsx';

const route = getRouteApi('/setup/new');
const noneChosen: ChosenDocument[] = [];
const newestSources = { skip: 0, limit: 100 };

export function NewSetupPage() {
  const { canWrite, orgId } = useSession();
  const chosen = useRouterState({ select: ({ location }) => location.state.chosenDocuments ?? noneChosen });
  if (canWrite) return <NewSetupForm key={orgId} chosen={chosen} />;
  return (
    <Page title="New setup" back={<BackLink to="/setup">Guided setup</BackLink>}>
      <Notice>You can view this organization. Members and admins can set up collections.</Notice>
    </Page>
  );
}

/** Chooses and names the documents, then starts the conversation. */
function NewSetupForm({ chosen }: { chosen: ChosenDocument[] }) {
  const { orgId } = useSession();
  const { source: given } = route.useSearch();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const models = useQuery(chatModelsQuery(orgId)).data?.models;
  const sources = useQuery(sourceListQuery(orgId, newestSources)).data?.sources ?? [];
  const [kind, setKind] = useState<SourceKind>(given !== undefined ? 'stored' : chosen.length > 0 ? 'chosen' : 'all');
  const [filter, setFilter] = useState<DocumentFilter>({});
  const [storedId, setStoredId] = useState(given);
  const [ownName, setOwnName] = useState<string>();
  const matches = useMatching({ filter: kind === 'filter' ? filter : {} });
  const stored = sources.find(({ id }) => id === storedId) ?? (storedId === undefined ? sources[0] : undefined);
  const tagIds = kind === 'filter' ? (filter.tag_ids ?? []) : [];
  const nameSearch = kind === 'filter' ? (filter.name_search ?? '').trim() : '';
  const documents = kind === 'chosen' ? chosen.length : undefined;
  const name = ownName ?? suggestedSourceName({ documents, tagIds, nameSearch }, tags);

  // If starting the conversation fails, the source that was created for it is used again.
  const createdSource = useRef<{ of: string; source: Source }>(undefined);
  const sourceId = async (): Promise<string> => {
    if (kind === 'stored') return stored?.id ?? storedId ?? '';
    const body = {
      name: name.trim(),
      ...(kind === 'chosen' ? { document_ids: chosen.map(({ id }) => id) } : {}),
      ...(tagIds.length === 0 ? {} : { tag_ids: tagIds }),
      ...(nameSearch === '' ? {} : { name_search: nameSearch }),
    };
    const same = sources.find((source) => isSameSource(source, body));
    if (same !== undefined) return same.id;
    const of = JSON.stringify(body);
    if (createdSource.current?.of !== of) createdSource.current = { of, source: await createSource(orgId, body) };
    return createdSource.current.source.id;
  };
  const isStarted = useRef(false);
  const starting = useMutation({
    mutationFn: async () => startConversation(orgId, await sourceId()),
    onSettled: (_started, error) => {
      if (error !== null) isStarted.current = false;
      void queryClient.invalidateQueries({ queryKey: sourcesKey(orgId) });
      void queryClient.invalidateQueries({ queryKey: [...conversationsKey(orgId), 'list'] });
    },
    onSuccess: ({ id }) => navigate({ to: '/setup/$conversationId', params: { conversationId: id } }),
  });
  const count = kind === 'chosen' ? chosen.length : kind === 'stored' ? stored?.document_count : matches.data?.matched;
  const named = kind === 'stored' || name.trim() !== '';
  const ready = named && count !== 0 && !starting.isPending && !starting.isSuccess;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A double click starts one conversation.
    if (!ready || isStarted.current) return;
    isStarted.current = true;
    starting.mutate();
  };
  const code = starting.error instanceof ApiError ? starting.error.code : '';
  const section = settingsFor(code);
  return (
    <Page
      title="New setup"
      back={<BackLink to="/setup">Guided setup</BackLink>}
      note="Choose the documents. The agent analyzes them and proposes how to make them searchable."
    >
      <form aria-label="New setup" onSubmit={onSubmit} className="flex max-w-3xl flex-col gap-6">
        {models?.length === 0 && (
          <Notice tone="warn" actions={<SettingsLink section="models" />}>
            No model is connected yet, and the agent needs one.
          </Notice>
        )}
        <WhichSource
          kind={kind}
          onKind={setKind}
          chosen={chosen}
          filter={filter}
          onFilter={setFilter}
          sources={sources}
          stored={stored}
          onStored={setStoredId}
        />
        <SourceCount
          count={count}
          isMatching={kind === 'all' || kind === 'filter'}
          isAll={kind === 'all'}
          error={matches.error}
        />
        {kind !== 'stored' && (
          <TextField
            label="Name of the source"
            required
            maxLength={200}
            value={name}
            help="A name for this set of documents. You can use the source again."
            onChange={(event) => setOwnName(event.target.value)}
          />
        )}
        {starting.isError && (
          <Notice tone="bad" actions={section && <SettingsLink section={section} />}>
            {messageOf(starting.error)}
          </Notice>
        )}
        <FormActions cancel={{ to: '/setup' }} isDisabled={!ready}>
          {starting.isPending ? 'Starting…' : startButtonLabel(count)}
        </FormActions>
      </form>
    </Page>
  );
}

const startButtonLabel = (count: number | undefined): string =>
  count === undefined || count === 0 ? 'Start' : `Start with ${counted(count, 'document')}`;
