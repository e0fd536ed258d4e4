import type { Tag } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Tag as TagIcon, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { tagListQuery, deleteTag, tagsKey } from '../../shared/api/tags-api.ts';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { SearchedList } from '../../shared/page/paged-list.tsx';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

const route = getRouteApi('/tags');

const columns: TableColumn<Tag>[] = [
  {
    label: 'Name',
    className: 'md:w-64',
    render: (tag) => (
      <span className="flex items-center gap-2">
        <TagDot tag={tag} />
        <Link to="/" search={{ tag: tag.tag_id }} title={`Documents with ${tag.name}`} className={rowLinkClass}>
          {tag.name}
        </Link>
      </span>
    ),
  },
  {
    label: 'Description',
    wideOnly: true,
    className: 'text-ink-soft',
    render: ({ description }) => (
      <span className="line-clamp-2 wrap-anywhere" title={description}>
        {description === '' ? '–' : description}
      </span>
    ),
  },
  {
    label: 'Created',
    wideOnly: true,
    className: 'w-56 text-ink-soft truncate',
    render: (tag) => <Written at={tag.created_at} by={tag.created_by} />,
  },
];
const asking: TableColumn<Tag> = {
  label: 'Ask',
  labelHidden: true,
  className: 'relative w-16 text-right',
  render: ({ tag_id, name }) => (
    <Link to="/ask" search={{ tag: tag_id }} aria-label={`Ask about documents with ${name}`} className={textLinkClass}>
      Ask
    </Link>
  ),
};
const actions: TableColumn<Tag> = {
  label: 'Actions',
  labelHidden: true,
  className: 'relative w-24 text-right',
  render: (tag) => <TagActions tag={tag} />,
};

export function TagListPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [creating, setCreating] = useState(false);
  const skip = ((search.page ?? 1) - 1) * pageSize;
  const list = useQuery(tagListQuery(orgId, { name_search: search.q, skip, limit: pageSize }));
  const onSearch = useCallback(
    (next: LibrarySearch, replace: boolean) => void navigate({ search: next, replace }),
    [navigate],
  );
  const create = canWrite && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" /> New tag
    </Button>
  );
  return (
    <Page title="Tags" note="Group documents and choose which prompts apply to them." actions={create}>
      <SearchedList
        noun="tags"
        search={search}
        onSearch={onSearch}
        items={list.data?.tags}
        query={list}
        columns={canWrite ? [...columns, asking, actions] : [...columns, asking]}
        keyOf={(tag) => tag.tag_id}
        empty={
          <EmptyState icon={TagIcon} title="No tags yet" actions={create}>
            {canWrite
              ? 'Create one, such as “Invoice”. Prompts with a tag apply to the documents with that tag.'
              : 'Members can create one. It will appear here.'}
          </EmptyState>
        }
      />
      {creating && <TagDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function TagActions({ tag }: { tag: Tag }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <span className="inline-flex gap-1">
      <IconButton label={`Edit ${tag.name}`} onClick={() => setDialog('edit')}>
        <Pencil className="size-3.5" />
      </IconButton>
      <IconButton label={`Delete ${tag.name}`} onClick={() => setDialog('delete')}>
        <Trash2 className="size-3.5" />
      </IconButton>
      {dialog === 'edit' && <TagDialog tag={tag} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete “${tag.name}”?`}
          description="You can only delete a tag that no document and no prompt uses."
          action="Delete"
          run={async () => {
            await deleteTag(orgId, tag.tag_id);
            toast(`“${tag.name}” is deleted.`);
            await queryClient.invalidateQueries({ queryKey: tagsKey(orgId) });
          }}
          onClose={close}
        />
      )}
    </span>
  );
}
