import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { taskConversationsQuery } from './tasks-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useTaskOwner } from './use-task-owner.ts';

interface TaskConversationsProps {
  current: number | undefined;
  /** Undefined: a new one. */
  onOpen: (id: number | undefined) => void;
}

/** Which conversation is shown, the ones before it, and a new one. */
export function TaskConversations({ current, onOpen }: TaskConversationsProps) {
  const owner = useTaskOwner();
  const listed = useQuery(taskConversationsQuery(owner)).data?.conversations ?? [];
  const begun = listed.map(({ id, title, updated_at }) => ({
    value: String(id),
    label: title,
    note: formatMoment(updated_at),
  }));
  const options = [...(current === undefined ? [{ value: '', label: 'New conversation' }] : []), ...begun];
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-3">
      <h2 className="shrink-0 text-sm font-medium">Agent</h2>
      {begun.length > 0 && (
        <>
          <Choice
            label="Conversation"
            value={current === undefined ? '' : String(current)}
            options={options}
            className="flex-1"
            onChange={(id) => onOpen(id === '' ? undefined : Number(id))}
          />
          <IconButton label="New conversation" disabled={current === undefined} onClick={() => onOpen(undefined)}>
            <Plus aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
    </div>
  );
}
