import { memo, useCallback, useState } from 'react';
import { Pencil } from 'lucide-react';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useStoredValue } from '../../../shared/ui/stored-value.ts';
import type { UserEntry } from '../../../agent-ui/chat-state.ts';
import { MentionChips } from './mention-chips.tsx';
import type { MentionChoice } from '../composer/mention-markup.ts';

interface UserMessageProps {
  entry: UserEntry;
  index: number;
  /** Where a new wording that is half written is kept. */
  draftKey: string;
  choices: MentionChoice[];
  /** Absent while nothing can be sent. */
  onResend: ((index: number, entry: UserEntry) => void) | undefined;
}

/** What the person wrote; to be written anew from there. */
export const UserMessage = memo(function UserMessage({ entry, index, draftKey, choices, onResend }: UserMessageProps) {
  const [stored, setStored] = useStoredValue(draftKey);
  const kept = wordingOf(stored, entry.text);
  const [asked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
    setStored(null);
  };
  if ((asked || kept !== undefined) && onResend) {
    return (
      <EditMessage
        draft={kept ?? entry.text}
        onDraft={(draft) => setStored(JSON.stringify({ of: entry.text, draft }))}
        onCancel={close}
        onSend={(text) => {
          close();
          onResend(index, { ...entry, text });
        }}
      />
    );
  }
  return (
    <article aria-label="You" className="group mt-3 mb-1 ml-8 flex items-start gap-1 self-end first:mt-0">
      {onResend && (
        <IconButton
          label="Edit this message"
          onClick={() => setAsked(true)}
          className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100"
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <div className="min-w-0 rounded-lg rounded-br-sm bg-accent-soft px-3 py-2">
        <p className="whitespace-pre-wrap wrap-anywhere">{entry.text}</p>
        {entry.mentions && <MentionChips mentions={entry.mentions} choices={choices} />}
      </div>
    </article>
  );
});

/** What was half written about this very message: after a change of an earlier one, another may stand in its place. */
function wordingOf(stored: string | null, text: string): string | undefined {
  if (stored === null) return undefined;
  const value = parseJson(stored);
  return isRecord(value) && value['of'] === text && typeof value['draft'] === 'string' ? value['draft'] : undefined;
}

interface EditMessageProps {
  draft: string;
  onDraft: (draft: string) => void;
  onCancel: () => void;
  onSend: (text: string) => void;
}

function EditMessage({ draft, onDraft, onCancel, onSend }: EditMessageProps) {
  const focusOnce = useCallback((field: HTMLTextAreaElement | null) => field?.focus(), []);
  const send = () => {
    if (draft.trim() !== '') onSend(draft.trim());
  };
  return (
    <form
      className="mt-3 mb-1 ml-8 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={focusOnce}
        aria-label="Edit the message"
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="max-h-48 rounded-lg border border-line-strong bg-raised px-3 py-2 [field-sizing:content]"
      />
      <p className="text-xs text-ink-faint">The conversation goes on from here; what came after it goes.</p>
      <div className="flex gap-2">
        <Button type="submit" look="primary" size="small">
          Send again
        </Button>
        <Button size="small" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
