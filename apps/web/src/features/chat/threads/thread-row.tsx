import { clockStyle } from '../../../shared/formats/locale.ts';
import type { ThreadSummary } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { deleteThread, renameThread, threadsKey, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { inputClass } from '../../../shared/ui/fields/text-field.tsx';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';
import { useChange } from '../../../shared/page/use-change.ts';

interface ThreadRowProps {
  place: ChatPlace;
  thread: ThreadSummary;
  current: boolean;
  onOpen: () => void;
  onDeleted: () => void;
}

const time = new Intl.DateTimeFormat(undefined, clockStyle);

/** A conversation in the list, with buttons to rename and delete it. */
export function ThreadRow({ place, thread, current, onOpen, onDeleted }: ThreadRowProps) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const refresh = async () => {
    setOpen(undefined);
    await queryClient.invalidateQueries({ queryKey: threadsKey(place) });
  };
  const renaming = useChange((title: string) => renameThread(place, thread.id, title), { onDone: refresh });
  const deleting = useMutation({
    mutationFn: () => deleteThread(place, thread.id),
    onSuccess: async () => {
      onDeleted();
      await refresh();
    },
  });
  const error = renaming.error ?? deleting.error;
  return (
    <li className="flex flex-col gap-1">
      {open === 'rename' ? (
        <RenameForm
          title={thread.title}
          onCancel={() => setOpen(undefined)}
          onRename={(title) => renaming.mutate(title)}
        />
      ) : (
        <div className={classNames('flex items-center gap-1 rounded-md hover:bg-hover', current && 'bg-accent-soft')}>
          <button
            type="button"
            aria-current={current}
            onClick={onOpen}
            className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm"
          >
            <span className="min-w-0 flex-1 truncate">{thread.title}</span>
            <span className="text-xs text-ink-faint tabular-nums">{time.format(new Date(thread.updated_at))}</span>
          </button>
          <IconButton label={`Rename “${thread.title}”`} onClick={() => setOpen('rename')}>
            <Pencil aria-hidden className="size-3.5" />
          </IconButton>
          <IconButton label={`Delete “${thread.title}”`} onClick={() => setOpen('delete')}>
            <Trash2 aria-hidden className="size-3.5" />
          </IconButton>
        </div>
      )}
      {open === 'delete' && (
        <div className="flex flex-wrap items-center gap-2 px-2 pb-1 text-sm">
          <span className="flex-1">Delete permanently? Its changes are kept.</span>
          <Button size="small" look="danger" disabled={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete
          </Button>
          <Button size="small" look="quiet" onClick={() => setOpen(undefined)}>
            Keep
          </Button>
        </div>
      )}
      {error && <Notice tone="bad">{messageOf(error)}</Notice>}
    </li>
  );
}

interface RenameFormProps {
  title: string;
  onCancel: () => void;
  onRename: (title: string) => void;
}

function RenameForm({ title, onCancel, onRename }: RenameFormProps) {
  const [name, setName] = useState(title);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onRename(name.trim());
  };
  return (
    <form onSubmit={onSubmit} className="flex gap-2 py-0.5">
      <input
        ref={focusOnMount}
        aria-label="Name of the conversation"
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onCancel();
        }}
        className={`${inputClass} h-7`}
      />
      <Button type="submit" size="small" look="primary" disabled={name.trim() === ''}>
        Rename
      </Button>
    </form>
  );
}
