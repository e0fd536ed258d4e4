import { memo, useState, createElement, type ReactNode } from 'react';
import { Pencil, FileJson, MessageSquareQuote, Tag as TagIcon } from 'lucide-react';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import type { UserEntry } from '../../../agent-ui/chat-state.ts';
import type { MentionChoice } from '../composer/mention-markup.ts';
import type { Mention } from '@docwright/contract';
import { EntityLink } from '../../../agent-ui/markdown/entity-link.tsx';
import { useQuery } from '@tanstack/react-query';
import { promptQuery, schemaQuery, tagQuery } from '../../../shared/api/library-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';

interface UserMessageProps {
  entry: UserEntry;
  index: number;
  /** Local storage key of an unsent edit. */
  draftKey: string;
  choices: MentionChoice[];
  /** Undefined while sending is off. */
  onResend: ((index: number, entry: UserEntry) => void) | undefined;
  note?: ReactNode;
}

/** A message of the user, which can be edited and sent again. */
export const UserMessage = memo(function UserMessage(props: UserMessageProps) {
  const { entry, index, draftKey, choices, onResend, note } = props;
  const [stored, setStored] = useStoredValue(draftKey);
  const storedDraft = readDraft(stored, entry.text);
  const [isEditing, setIsEditing] = useState(false);
  const close = () => {
    setIsEditing(false);
    setStored(null);
  };
  if ((isEditing || storedDraft !== undefined) && onResend) {
    return (
      <EditMessage
        draft={storedDraft ?? entry.text}
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
          onClick={() => setIsEditing(true)}
          className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100"
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <div className="min-w-0 rounded-lg rounded-br-sm bg-accent-soft px-3 py-2">
        <p className="whitespace-pre-wrap wrap-anywhere">{entry.text}</p>
        {entry.mentions && <MentionChips mentions={entry.mentions} choices={choices} />}
        {note}
      </div>
    </article>
  );
});

/** The unsent edit of this message. The key is an index, and another message may have it since an earlier edit. */
function readDraft(stored: string | null, text: string): string | undefined {
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
        ref={focusOnMount}
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
      <p className="text-xs text-ink-faint">The conversation continues from here. Later messages are removed.</p>
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

const icons = { schema: FileJson, prompt: MessageSquareQuote, tag: TagIcon };

/** The mentions of a message, by id. */
function MentionChips({ mentions, choices }: { mentions: Mention[]; choices: MentionChoice[] }) {
  return (
    <ul aria-label="Mentions" className="mt-1.5 flex flex-wrap gap-1">
      {mentions.map(({ type, id }) => (
        <li
          key={`${type}:${id}`}
          className="inline-flex max-w-full items-center gap-1 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-ink-soft"
        >
          {createElement(icons[type], { 'aria-hidden': true, className: 'size-3.5 shrink-0' })}
          <span className="truncate [&_a:hover]:underline">
            <EntityLink address={{ kind: type, id }}>
              {choices.find((choice) => choice.id === `${type}:${id}`)?.display ?? <EntityName kind={type} id={id} />}
            </EntityLink>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The name of an entity, with its version. */
function EntityName({ kind, id }: { kind: Mention['type']; id: string }) {
  const { orgId } = useSession();
  const schema = useQuery({ ...schemaQuery(orgId, id), enabled: kind === 'schema' }).data;
  const prompt = useQuery({ ...promptQuery(orgId, id), enabled: kind === 'prompt' }).data;
  const tag = useQuery({ ...tagQuery(orgId, id), enabled: kind === 'tag' }).data;
  if (schema) return `${schema.name} v${schema.schema_version}`;
  if (prompt) return `${prompt.name} v${prompt.prompt_version}`;
  return tag?.name ?? `an earlier ${kind}`;
}
