import { Check, Copy } from 'lucide-react';
import { memo, useState } from 'react';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useCopy } from '../../../shared/ui/use-copy.ts';
import type { AssistantEntry } from '../../../agent-ui/chat-state.ts';
import { TurnChanges } from './turn-changes.tsx';
import { changesOf } from '../turn/turns.ts';

interface TurnFooterProps {
  place: ChatPlace;
  /** The answers of one turn that is over. */
  entries: AssistantEntry[];
}

/** Below a turn that is over: its answer to copy, what it changed and the way back. */
export const TurnFooter = memo(
  function TurnFooter({ place, entries }: TurnFooterProps) {
    const text = entries
      .map((entry) => entry.text)
      .filter((each) => each !== '')
      .join('\n\n');
    const changes = changesOf(entries);
    if (text === '' && changes.length === 0) return null;
    return (
      <footer className="flex flex-wrap items-start gap-x-2">
        {text !== '' && <CopyAnswer text={text} />}
        {changes.length > 0 && <TurnChanges place={place} changes={changes} />}
      </footer>
    );
  },
  (before, after) =>
    before.place === after.place &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, index) => entry === after.entries[index]),
);

function CopyAnswer({ text }: { text: string }) {
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <IconButton
      label={copied ? 'Copied' : 'Copy the answer'}
      onClick={() => void copy(text).then(setCopied)}
      className="-ml-1.5"
    >
      <Icon aria-hidden className="size-3.5" />
    </IconButton>
  );
}
