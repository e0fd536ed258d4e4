import type { Schema } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Sparkles } from 'lucide-react';
import { schemaVersionsQuery } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass, BackLink } from '../../shared/page/page.tsx';
import { VersionHistory, VersionNotice } from '../library/index.ts';
import { ReviewMark } from '../../shared/labels/review-mark.tsx';
import { Written } from '../../shared/labels/written.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { SchemaActions } from './schema-actions.tsx';
import { SchemaDifference } from '../schema-effect/index.ts';
import { SchemaUseNote } from './schema-use-note.tsx';
import { SchemaChecksList } from './schema-checks.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

const route = getRouteApi('/schemas/$schemaId');
const jsonOf = (schema: Schema) => JSON.stringify(schema.response_format.json_schema.schema, null, 2);

export function SchemaPage() {
  const { schemaId } = route.useParams();
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const versions = useQuery(schemaVersionsQuery(orgId, schemaId));
  const [newest] = versions.data?.schemas ?? [];
  if (versions.data === undefined || newest === undefined) {
    return (
      <LoadingPage
        title="Schema"
        back={<BackLink to="/schemas">Schemas</BackLink>}
        error={versions.error}
        retry={() => void versions.refetch()}
      />
    );
  }
  const { schemas, total_count } = versions.data;
  const shown = schemas.find(({ schema_version }) => schema_version === search.version) ?? newest;
  const onSearch = (next: typeof search) =>
    void navigate({ to: '/schemas/$schemaId', params: { schemaId }, search: next });
  const json = jsonOf(shown);
  const schemaOf = (version: number) =>
    schemas.find(({ schema_version }) => schema_version === version)?.response_format.json_schema.schema ?? {};
  return (
    <Page
      title={newest.name}
      back={<BackLink to="/schemas">Schemas</BackLink>}
      note={
        <>
          Version {shown.schema_version} · <Written at={shown.created_at} by={shown.created_by} />
          <ReviewMark of={newest} />
        </>
      }
      actions={
        canWrite && (
          <>
            <Link to="/schemas/$schemaId/design" params={{ schemaId }} className={linkButtonClass('secondary')}>
              <Sparkles aria-hidden className="size-3.5" /> Open in designer
            </Link>
            <Link to="/schemas/$schemaId/edit" params={{ schemaId }} className={linkButtonClass('secondary')}>
              <Pencil aria-hidden className="size-3.5" /> Edit
            </Link>
            <SchemaActions schema={newest} onDeleted={() => void navigate({ to: '/schemas' })} />
          </>
        )
      }
    >
      <VersionNotice
        shown={shown.schema_version}
        newest={newest.schema_version}
        requested={search.version}
        onNewest={() => onSearch({})}
      />
      <SchemaUseNote schema={newest} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <section aria-label="Fields" className={`${panelClass} overflow-x-auto`}>
            <SchemaFields schema={shown.response_format.json_schema.schema} />
          </section>
          {shown.checks !== undefined && shown.checks.length > 0 && (
            <PageSection title="Checks" className="gap-2">
              <div className={panelClass}>
                <SchemaChecksList checks={shown.checks} />
              </div>
            </PageSection>
          )}
          <PageSection title="JSON" className="gap-2" actions={<CopyButton text={json} label="Copy JSON" />}>
            <ScrollBox label="JSON of the schema" className="bg-sunken p-3">
              <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">{json}</pre>
            </ScrollBox>
          </PageSection>
        </div>
        <VersionHistory
          versions={schemas.map((each) => ({ ...each, version: each.schema_version, text: jsonOf(each) }))}
          total={total_count}
          shown={shown.schema_version}
          compare={search.compare}
          onSearch={onSearch}
          renderDifference={(from, to) => <SchemaDifference before={schemaOf(from)} after={schemaOf(to)} />}
        />
      </div>
    </Page>
  );
}
