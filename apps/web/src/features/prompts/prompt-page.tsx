import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { promptVersionsQuery } from '../../shared/api/prompts-api.ts';
import { TagChips } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { VersionHistory, VersionNotice } from '../library/index.ts';
import { ReviewMark } from '../../shared/labels/review-mark.tsx';
import { Written } from '../../shared/labels/written.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { PromptActions } from './prompt-actions.tsx';
import { OldSchemaNotice } from '../schema-effect/index.ts';
import { PromptLinks } from './prompt-links.tsx';
import { readingLines } from './reading-choice.ts';
import { ReleaseSection } from './release/release-section.tsx';
import { promptText } from './prompt-text.ts';
import { SchemaLink, useSchemaName } from './schema-link.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { PageSection } from '../../shared/page/page-section.tsx';

const route = getRouteApi('/prompts/$promptId');

export function PromptPage() {
  const { promptId } = route.useParams();
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const versions = useQuery(promptVersionsQuery(orgId, promptId));
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  const [newest] = versions.data?.prompts ?? [];
  const schemaName = useSchemaName(newest?.schema_revid);
  if (versions.data === undefined || newest === undefined) {
    return (
      <LoadingPage
        title="Prompt"
        back={<BackLink to="/prompts">Prompts</BackLink>}
        error={versions.error}
        retry={() => void versions.refetch()}
      />
    );
  }
  const { prompts, total_count } = versions.data;
  const shown = prompts.find(({ prompt_version }) => prompt_version === search.version) ?? newest;
  const tagName = (id: string) => tags?.find(({ tag_id }) => tag_id === id)?.name ?? id;
  /** Only the current schema's name is loaded; a version with another schema shows its id. */
  const nameOfSchema = (id: string | undefined) => (id === newest.schema_id ? schemaName : undefined);
  const onSearch = (next: typeof search) =>
    void navigate({ to: '/prompts/$promptId', params: { promptId }, search: next });
  return (
    <Page
      title={newest.name}
      back={<BackLink to="/prompts">Prompts</BackLink>}
      note={
        <>
          Version {shown.prompt_version} · <Written at={shown.created_at} by={shown.created_by} />
          <ReviewMark of={newest} />
        </>
      }
      actions={
        canWrite && (
          <>
            <Link to="/prompts/$promptId/edit" params={{ promptId }} className={linkButtonClass('secondary')}>
              <Pencil aria-hidden className="size-3.5" /> Edit
            </Link>
            <PromptActions prompt={newest} onDeleted={() => void navigate({ to: '/prompts' })} />
          </>
        )
      }
    >
      <PromptLinks promptId={promptId} />
      <VersionNotice
        shown={shown.prompt_version}
        newest={newest.prompt_version}
        requested={search.version}
        onNewest={() => onSearch({})}
      />
      <OldSchemaNotice prompt={newest} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <dl
            className={`${panelClass} grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-2 p-3 text-sm [&_dt]:text-ink-soft`}
          >
            <dt>Schema</dt>
            <dd>
              <SchemaLink prompt={shown} />
            </dd>
            <dt>Model</dt>
            <dd className="wrap-anywhere">{shown.model ?? 'The organization’s default'}</dd>
            <dt>Examples</dt>
            <dd>
              {shown.examples === undefined ? (
                <span className="text-ink-soft">None</span>
              ) : (
                `${counted(shown.examples.count, 'verified result')} of similar documents`
              )}
            </dd>
            {readingLines(shown).length > 0 && (
              <>
                <dt>Reading</dt>
                <dd>
                  {readingLines(shown).map((line) => (
                    <p key={line}>{line}</p>
                  ))}
                </dd>
              </>
            )}
            <dt>Tags</dt>
            <dd>
              {shown.tag_ids.length > 0 ? (
                <TagChips tagIds={shown.tag_ids} />
              ) : (
                <span className="text-ink-soft">None: choose it by hand for each document.</span>
              )}
            </dd>
          </dl>
          <PageSection
            title="Content"
            className="gap-2"
            actions={<CopyButton text={shown.content} label="Copy content" />}
          >
            <p className={`${panelClass} p-3 whitespace-pre-wrap wrap-anywhere`}>{shown.content}</p>
          </PageSection>
          <ReleaseSection prompt={newest} />
        </div>
        <VersionHistory
          versions={prompts.map((each) => ({
            ...each,
            version: each.prompt_version,
            text: promptText(each, nameOfSchema(each.schema_id), tagName),
          }))}
          total={total_count}
          shown={shown.prompt_version}
          compare={search.compare}
          onSearch={onSearch}
        />
      </div>
    </Page>
  );
}
