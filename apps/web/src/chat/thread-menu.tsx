import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, MessagesSquare, Plus, Trash2 } from 'lucide-react';
import { messageOf } from '../api/api-error.ts';
import { deleteThread, threadsKey, threadsQuery, type ChatPlace } from '../api/chat-api.ts';
import { formatMoment } from '../documents/format-document.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useToast } from '../ui/toasts.tsx';

interface ThreadMenuProps {
  place: ChatPlace;
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
}

/** The conversations about this document: open one, begin one, delete the one that is open. */
export function ThreadMenu({ place, threadId, onOpen }: ThreadMenuProps) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const threads = useQuery(threadsQuery(place)).data?.threads ?? [];
  const current = threads.find(({ id }) => id === threadId);
  const deleting = useMutation({
    mutationFn: (id: string) => deleteThread(place, id),
    onSuccess: async () => {
      onOpen(undefined);
      await queryClient.invalidateQueries({ queryKey: threadsKey(place) });
    },
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
      <Menu
        align="start"
        trigger={
          <Button look="quiet" size="small" className="min-w-0 shrink" aria-label="Conversations">
            <MessagesSquare aria-hidden className="size-4 shrink-0" />
            <span className="truncate">
              {current?.title ?? (threadId === undefined ? 'New conversation' : 'Conversation')}
            </span>
            <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          </Button>
        }
      >
        {threads.length === 0 && <MenuItem disabled>No conversations yet</MenuItem>}
        <MenuChoices value={threadId ?? ''} onValueChange={onOpen}>
          {threads.map((thread) => (
            <MenuChoice key={thread.id} value={thread.id}>
              <span className="min-w-0">
                <span className="block truncate">{thread.title}</span>
                <span className="block text-xs text-ink-faint">{formatMoment(thread.updated_at)}</span>
              </span>
            </MenuChoice>
          ))}
        </MenuChoices>
        {threadId !== undefined && (
          <>
            <MenuLine />
            <MenuItem danger disabled={deleting.isPending} onSelect={() => deleting.mutate(threadId)}>
              <Trash2 aria-hidden /> Delete this conversation
            </MenuItem>
          </>
        )}
      </Menu>
      <IconButton
        label="New conversation"
        disabled={threadId === undefined}
        onClick={() => onOpen(undefined)}
        className="ml-auto"
      >
        <Plus className="size-4" />
      </IconButton>
    </div>
  );
}
