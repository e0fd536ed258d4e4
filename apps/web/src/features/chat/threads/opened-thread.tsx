import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, MessagesSquare, Plus } from 'lucide-react';
import { Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { findActiveThread, threadsQuery, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

const ThreadDialog = lazyPart(async () => ({ default: (await import('./thread-dialog.tsx')).ThreadDialog }));

interface ThreadMenuProps {
  place: ChatPlace;
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
}

/** The open conversation's title, a button to switch to another one, and one for a new conversation. */
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

/**
 * The conversation in the URL. A new conversation enters the URL once its first turn has started, and stays mounted. A
 * page without a conversation in its URL opens one that runs or waits.
 *
 * @param mountedIn Changes when the conversation mounts anew elsewhere on the page, as it does in a window that becomes
 *   narrow: then it loads what it has become.
 */
export function useOpenedThread(
  place: ChatPlace,
  threadId: string | undefined,
  onAddress: (patch: { thread: string }) => void,
  mountedIn?: string,
) {
  // `started`: the thread that the open conversation has become; it stays mounted when the URL follows.
  const first = { address: threadId, loaded: threadId, started: threadId };
  const [opened, setOpened] = useState({ ordinal: 0, mountedIn, ...first });
  if (threadId !== opened.address) {
    const follows = threadId !== undefined && threadId === opened.started;
    setOpened(follows ? { ...opened, address: threadId } : { ...opened, ordinal: opened.ordinal + 1, ...first });
  } else if (mountedIn !== opened.mountedIn) {
    setOpened({ ...opened, mountedIn, loaded: opened.started });
  }
  const onThread = useCallback(
    (started: string) => {
      setOpened((present) => ({ ...present, started }));
      onAddress({ thread: started });
    },
    [onAddress],
  );
  const openThread = useEffectEvent((active: string) => onAddress({ thread: active }));
  const [hasThread] = useState(threadId !== undefined);
  useEffect(() => {
    if (hasThread) return;
    const controller = new AbortController();
    findActiveThread(place, controller.signal).then(
      (active) => active !== undefined && openThread(active),
      // On an error the new conversation stays open; the list of conversations shows the error.
      () => undefined,
    );
    return () => controller.abort();
  }, [place, hasThread]);
  return {
    /** The key of the conversation: it changes when another one opens. */
    ordinal: opened.ordinal,
    /** The stored conversation to load; undefined for a new one. */
    threadId: opened.loaded,
    /** Receives the thread that a new conversation has become. */
    onThread,
  };
}
