import type { Document } from '@docwright/contract';
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { DocumentAddress } from '../../shared/addresses/document-address.ts';
import { findActiveThread, threadsQuery, type ChatPlace } from '../../shared/api/chat-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { focusComposer } from './composer/composer-focus.ts';
import { Conversation } from './conversation.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, MessagesSquare, Plus } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';

const CurrentExtraction = lazy(async () => ({
  default: (await import('./current-extraction/current-extraction.tsx')).CurrentExtraction,
}));
const ProposalBanner = lazy(async () => ({ default: (await import('./proposal/proposal-banner.tsx')).ProposalBanner }));

interface AgentPanelProps {
  document: Document;
  /** Whether the tab is open: keyboard shortcuts work only then. */
  shown: boolean;
  threadId: string | undefined;
  onAddress: (patch: DocumentAddress) => void;
}

/** Shows the conversation in the URL. A new conversation enters the URL once its first turn has started. */
export function AgentPanel({ document, shown, threadId, onAddress }: AgentPanelProps) {
  const { orgId } = useSession();
  const place = useMemo(() => ({ orgId, documentId: document.id }), [orgId, document.id]);
  // `started`: the thread that the open conversation has become; it stays mounted when the URL follows.
  const [opened, setOpened] = useState({ ordinal: 0, address: threadId, loaded: threadId, started: threadId });
  if (threadId !== opened.address) {
    const follows = threadId !== undefined && threadId === opened.started;
    setOpened(
      follows
        ? { ...opened, address: threadId }
        : { ordinal: opened.ordinal + 1, address: threadId, loaded: threadId, started: threadId },
    );
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
  // A new conversation starts with the proposal.
  const refine = () => {
    if (threadId !== undefined) onAddress({ thread: undefined });
    setTimeout(focusComposer);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ThreadMenu place={place} threadId={threadId} onOpen={(thread) => onAddress({ thread })} />
      <Suspense>
        {document.auto_create && (
          <ProposalBanner document={document} proposal={document.auto_create} onRefine={refine} />
        )}
        <CurrentExtraction place={place} onShow={(prompt) => onAddress({ prompt })} />
      </Suspense>
      <Conversation
        key={opened.ordinal}
        document={document}
        place={place}
        shown={shown}
        threadId={opened.loaded}
        onThread={onThread}
      />
    </div>
  );
}

const ThreadDialog = lazy(async () => ({ default: (await import('./threads/thread-dialog.tsx')).ThreadDialog }));

interface ThreadMenuProps {
  place: ChatPlace;
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
}

/** The open conversation's title, a button to switch to another one, and one for a new conversation. */
function ThreadMenu({ place, threadId, onOpen }: ThreadMenuProps) {
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
