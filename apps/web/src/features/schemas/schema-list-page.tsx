import type { Schema } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Braces, Plus, Sparkles } from 'lucide-react';
import { useCallback } from 'react';
import { schemaListQuery } from '../../shared/api/schemas-api.ts';
import { schemaRows } from '../../shared/values/schema-rows.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { SearchedList } from '../../shared/page/paged-list.tsx';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { SchemaActions } from './schema-actions.tsx';

const route = getRouteApi('/schemas');

const columns: TableColumn<Schema>[] = [
  {
    label: 'Name',
    render: (schema) => (
      <Link
        to="/schemas/$schemaId"
        params={{ schemaId: schema.schema_id }}
        title={schema.name}
        className={rowLinkClass}
      >
        {schema.name}
      </Link>
    ),
  },
  {
    label: 'Fields',
    wideOnly: true,
    className: 'w-24 text-right tabular-nums text-ink-soft',
    render: ({ response_format }) => schemaRows(response_format.json_schema.schema).length,
  },
  {
    label: 'Version',
    className: 'w-20 text-right tabular-nums text-ink-soft',
    render: ({ schema_version }) => schema_version,
  },
  {
    label: 'Changed',
    wideOnly: true,
    className: 'w-64 text-ink-soft truncate',
    render: (schema) => <Written at={schema.created_at} by={schema.created_by} />,
  },
];
const actions: TableColumn<Schema> = {
  label: 'Actions',
  labelHidden: true,
  className: 'relative w-12 text-right',
  render: (schema) => <SchemaActions schema={schema} />,
};

export function SchemaListPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const skip = ((search.page ?? 1) - 1) * pageSize;
  const list = useQuery(schemaListQuery(orgId, { name_search: search.q, skip, limit: pageSize }));
  const onSearch = useCallback(
    (next: LibrarySearch, replace: boolean) => void navigate({ search: next, replace }),
    [navigate],
  );
  const create = canWrite && (
    <>
      <Link to="/schemas/new" className={linkButtonClass('secondary')}>
        <Plus aria-hidden className="size-4" /> New schema
      </Link>
      <Link to="/schemas/designer" className={linkButtonClass('primary')}>
        <Sparkles aria-hidden className="size-4" /> Design with the agent
      </Link>
    </>
  );
  return (
    <Page title="Schemas" note="The fields to extract from a document." actions={create}>
      <SearchedList
        noun="schemas"
        search={search}
        onSearch={onSearch}
        items={list.data?.schemas}
        query={list}
        columns={canWrite ? [...columns, actions] : columns}
        keyOf={(schema) => schema.schema_id}
        empty={
          <EmptyState icon={Braces} title="No schemas yet" actions={create}>
            {canWrite
              ? 'Tell the agent what you want to know and it proposes the fields. Or open a document and ask it “create a schema for this document”, or write one as JSON.'
              : 'Members can create one. It will appear here.'}
          </EmptyState>
        }
      />
    </Page>
  );
}
