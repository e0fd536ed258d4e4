import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, MessagesSquare, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { threadsQuery, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

const ThreadDialog = lazy(async () => ({ default: (await import('./thread-dialog.tsx')).ThreadDialog }));

interface ThreadMenuProps {
  place: ChatPlace;
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
}

/** Which conversation is open, and the way to the others and to a new one. */
export function ThreadMenu({ place, threadId, onOpen }: ThreadMenuProps) {
  const [choosing, setChoosing] = useState(false);
  const threads = useInfiniteQuery(threadsQuery(place)).data?.pages.flatMap((page) => page.threads);
  const current = threads?.find(({ id }) => id === threadId);
  const title = current?.title ?? (threadId === undefined ? 'New conversation' : 'Conversation');
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
      <Button
        look="quiet"
        size="small"
        className="min-w-0 shrink"
        aria-label={`Conversations: ${title}`}
        onClick={() => setChoosing(true)}
      >
        <MessagesSquare aria-hidden className="size-4 shrink-0" />
        <span className="truncate">{title}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </Button>
      <IconButton
        label="New conversation"
        disabled={threadId === undefined}
        onClick={() => onOpen(undefined)}
        className="ml-auto"
      >
        <Plus className="size-4" />
      </IconButton>
      {choosing && (
        <Suspense>
          <ThreadDialog place={place} threadId={threadId} onOpen={onOpen} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </div>
  );
}
