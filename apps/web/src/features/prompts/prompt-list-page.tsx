import type { Prompt } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, TextQuote } from 'lucide-react';
import { useCallback } from 'react';
import { promptListQuery } from '../../shared/api/prompts-api.ts';
import { TagChips } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { SearchedList } from '../../shared/page/paged-list.tsx';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { PromptActions } from './prompt-actions.tsx';
import { SchemaLink } from './schema-link.tsx';

const route = getRouteApi('/prompts');

const columns: TableColumn<Prompt>[] = [
  {
    label: 'Name',
    render: (prompt) => (
      <Link
        to="/prompts/$promptId"
        params={{ promptId: prompt.prompt_id }}
        title={prompt.name}
        className={rowLinkClass}
      >
        {prompt.name}
      </Link>
    ),
  },
  { label: 'Schema', wideOnly: true, className: 'w-60', render: (prompt) => <SchemaLink prompt={prompt} /> },
  { label: 'Tags', wideOnly: true, className: 'w-48', render: ({ tag_ids }) => <TagChips tagIds={tag_ids} /> },
  {
    label: 'Version',
    className: 'w-20 text-right tabular-nums text-ink-soft',
    render: ({ prompt_version }) => prompt_version,
  },
  {
    label: 'Changed',
    wideOnly: true,
    className: 'w-56 text-ink-soft truncate',
    render: (prompt) => <Written at={prompt.created_at} by={prompt.created_by} />,
  },
];
const actions: TableColumn<Prompt> = {
  label: 'Actions',
  labelHidden: true,
  className: 'relative w-12 text-right',
  render: (prompt) => <PromptActions prompt={prompt} />,
};

export function PromptListPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const skip = ((search.page ?? 1) - 1) * pageSize;
  const list = useQuery(promptListQuery(orgId, { name_search: search.q, skip, limit: pageSize }));
  const onSearch = useCallback(
    (next: LibrarySearch, replace: boolean) => void navigate({ search: next, replace }),
    [navigate],
  );
  const create = canWrite && (
    <Link to="/prompts/new" className={linkButtonClass('primary')}>
      <Plus aria-hidden className="size-4" /> New prompt
    </Link>
  );
  return (
    <Page title="Prompts" note="Instructions for extraction, each with the schema for its values." actions={create}>
      <SearchedList
        noun="prompts"
        search={search}
        onSearch={onSearch}
        items={list.data?.prompts}
        query={list}
        columns={canWrite ? [...columns, actions] : columns}
        keyOf={(prompt) => prompt.prompt_id}
        empty={
          <EmptyState icon={TextQuote} title="No prompts yet" actions={create}>
            {canWrite
              ? 'Open a document and ask the agent “extract this document”, or write one here. A prompt applies to the documents that carry one of its tags.'
              : 'Members can create one. It will appear here.'}
          </EmptyState>
        }
      />
    </Page>
  );
}
