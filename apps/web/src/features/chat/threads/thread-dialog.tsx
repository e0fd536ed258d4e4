import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { threadsQuery, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { NameSearch } from '../../../shared/ui/fields/name-search.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { ThreadRow } from './thread-row.tsx';
import { threadsByDay } from './threads-by-day.ts';

interface ThreadDialogProps {
  place: ChatPlace;
  /** The open thread. */
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
  onClose: () => void;
}

/** Conversations by day: open, search, rename and delete. */
export function ThreadDialog({ place, threadId, onOpen, onClose }: ThreadDialogProps) {
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery(threadsQuery(place, search.trim()));
  const threads = list.data?.pages.flatMap((page) => page.threads);
  const days = threadsByDay(threads ?? []);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Conversations">
      <NameSearch label="Search the conversations" className="w-full" value={search} onChange={setSearch} />
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {threads?.length === 0 && (
        <p className="py-4 text-center text-sm text-ink-faint">
          {search.trim() === '' ? 'No conversations yet.' : 'No conversations match.'}
        </p>
      )}
      {days.map(({ label, threads: ofDay }) => (
        <section key={label} aria-label={label}>
          <h3 className="pb-1 text-xs text-ink-faint">{label}</h3>
          <ul className="flex flex-col">
            {ofDay.map((thread) => (
              <ThreadRow
                key={thread.id}
                place={place}
                thread={thread}
                current={thread.id === threadId}
                onOpen={() => {
                  onOpen(thread.id);
                  onClose();
                }}
                onDeleted={() => {
                  if (thread.id === threadId) onOpen(undefined);
                }}
              />
            ))}
          </ul>
        </section>
      ))}
      {list.hasNextPage && (
        <Button size="small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </Dialog>
  );
}
