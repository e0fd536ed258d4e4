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
  /** Whether its tab is in front: keys act only then. */
  shown: boolean;
  threadId: string | undefined;
  onAddress: (patch: DocumentAddress) => void;
}

/** The conversation that the address names; a new one gets its name once its first turn has begun. */
export function AgentPanel({ document, shown, threadId, onAddress }: AgentPanelProps) {
  const { orgId } = useSession();
  const place = useMemo(() => ({ orgId, documentId: document.id }), [orgId, document.id]);
  // `named`: the thread that the open conversation has become; it stays open when the address follows.
  const [opened, setOpened] = useState({ ordinal: 0, address: threadId, from: threadId, named: threadId });
  if (threadId !== opened.address) {
    const follows = threadId !== undefined && threadId === opened.named;
    setOpened(
      follows
        ? { ...opened, address: threadId }
        : { ordinal: opened.ordinal + 1, address: threadId, from: threadId, named: threadId },
    );
  }
  const onThread = useCallback(
    (named: string) => {
      setOpened((present) => ({ ...present, named }));
      onAddress({ thread: named });
    },
    [onAddress],
  );
  const opens = useEffectEvent((active: string) => onAddress({ thread: active }));
  const [isNamed] = useState(threadId !== undefined);
  useEffect(() => {
    if (isNamed) return;
    const controller = new AbortController();
    findActiveThread(place, controller.signal).then(
      (active) => active !== undefined && opens(active),
      // Without an answer the new conversation stays open; the list of conversations says what failed.
      () => undefined,
    );
    return () => controller.abort();
  }, [place, isNamed]);
  // A new conversation begins with the proposal as what it works on.
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
        threadId={opened.from}
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

/** Which conversation is open, and the way to the others and to a new one. */
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
