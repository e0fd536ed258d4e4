import type { SavedView } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2, Users } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { ResultSearch } from '../../shared/addresses/result-search.ts';
import { deleteView, saveView, savedViewsQuery } from '../../shared/api/results-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useFailureMessage } from '../../shared/page/writes/left-writes.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { ChoiceButton } from '../../shared/ui/fields/choice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

interface ViewsMenuProps {
  promptId: string;
  search: ResultSearch;
  onChoose: (view: Pick<ResultSearch, 'columns' | 'where' | 'sort'>) => void;
}

const isSame = (view: SavedView, { columns = [], where = '', sort = '' }: ResultSearch): boolean =>
  view.where === where && view.sort === sort && view.columns.join('\n') === columns.join('\n');

/** Columns, filters and order that users saved under a name. */
export function ViewsMenu({ promptId, search, onChoose }: ViewsMenuProps) {
  const { orgId, me, organization, canWrite } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const views = useQuery(savedViewsQuery(orgId, promptId)).data?.views ?? [];
  const [dialog, setDialog] = useState<'save' | 'delete'>();
  const current = views.find((view) => isSame(view, search));
  const isOwn = (view: SavedView) => view.created_by === me.user.id;
  const canDelete =
    canWrite && current !== undefined && (isOwn(current) || (current.is_shared && organization.role === 'admin'));
  const refresh = () => queryClient.invalidateQueries({ queryKey: savedViewsQuery(orgId, promptId).queryKey });
  const choose = ({ columns, where, sort }: SavedView) =>
    onChoose({
      ...(columns.length > 0 && { columns }),
      ...(where !== '' && { where }),
      ...(sort !== '' && { sort }),
    });
  return (
    <>
      <Menu
        align="start"
        trigger={
          <ChoiceButton
            aria-label={current === undefined ? 'Views' : `${current.name}: views`}
            icon={<Bookmark aria-hidden className="size-3.5 text-ink-faint" />}
            className="max-w-56"
          >
            {current?.name ?? 'Views'}
          </ChoiceButton>
        }
      >
        {views.length === 0 && <MenuLabel>No saved views yet</MenuLabel>}
        {views.map((view) => (
          <MenuItem key={view.id} onSelect={() => choose(view)}>
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {view.is_shared && <Users aria-label={isOwn(view) ? 'Shared by you' : 'Shared'} />}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => onChoose({})}>All columns, no filter</MenuItem>
        {canWrite && <MenuItem onSelect={() => setDialog('save')}>Save this view…</MenuItem>}
        {canDelete && (
          <MenuItem danger onSelect={() => setDialog('delete')}>
            <Trash2 aria-hidden /> Delete “{current.name}”…
          </MenuItem>
        )}
      </Menu>
      {dialog === 'save' && (
        <SaveDialog
          suggested={current !== undefined && isOwn(current) ? current : undefined}
          save={async (name, is_shared) => {
            const { columns = [], where = '', sort = '' } = search;
            await saveView(orgId, promptId, { name, columns, where, sort, is_shared });
            toast(`The view “${name}” is saved.`);
            await refresh();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'delete' && current && (
        <ConfirmDialog
          title={`Delete the view “${current.name}”?`}
          description={
            current.is_shared ? 'Others can no longer use it. No result is changed.' : 'No result is changed.'
          }
          action="Delete"
          run={async () => {
            await deleteView(orgId, promptId, current.id);
            await refresh();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

interface SaveDialogProps {
  suggested: SavedView | undefined;
  save: (name: string, isShared: boolean) => Promise<void>;
  onClose: () => void;
}

function SaveDialog({ suggested, save, onClose }: SaveDialogProps) {
  const [name, setName] = useState(suggested?.name ?? '');
  const [isShared, setShared] = useState(suggested?.is_shared ?? false);
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const showFailure = useFailureMessage();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setError('Enter a name.');
      return;
    }
    setSaving(true);
    try {
      await save(name.trim(), isShared);
      onClose();
    } catch (failure) {
      const message = messageOf(failure);
      showFailure(`The view was not saved: ${message}`, () => setError(message));
      setSaving(false);
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Save this view">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          error={error}
          help="Columns, filters and order. A view of yours with this name is replaced."
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
        />
        <CheckField label="Share it with the organization" checked={isShared} onChange={setShared} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSaving}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
