import type { ThreadSummary } from '@docwright/contract';
import { useState } from 'react';
import type { ChatPlace } from '../api/chat-api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { inputClass } from '../ui/text-field.tsx';
import { ThreadRow } from './thread-row.tsx';
import { threadsByDay } from './threads-by-day.ts';

interface ThreadDialogProps {
  place: ChatPlace;
  threads: ThreadSummary[];
  /** The one that is open. */
  threadId: string | undefined;
  onOpen: (threadId: string | undefined) => void;
  onClose: () => void;
}

/** All conversations about a document, by day: open one, find one, name it, delete it. */
export function ThreadDialog({ place, threads, threadId, onOpen, onClose }: ThreadDialogProps) {
  const [search, setSearch] = useState('');
  const days = threadsByDay(threads, search);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Conversations">
      <input
        type="search"
        aria-label="Search the conversations"
        placeholder="Search the conversations"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className={inputClass}
      />
      {days.length === 0 && (
        <p className="py-4 text-center text-sm text-ink-faint">
          {threads.length === 0 ? 'No conversations about this document yet.' : 'None has this in its name.'}
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
    </Dialog>
  );
}
