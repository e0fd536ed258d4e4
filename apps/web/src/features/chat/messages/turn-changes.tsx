import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { auditKey, auditQuery } from '../../../shared/api/audit-api.ts';
import { undoTurn, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { useAskedUndo } from '../../../shared/api/use-asked-undo.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { callLabel, callSubject, callOutcomeLabel } from '../../../agent-ui/call-labels.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { staleKeysAfter } from '../turn/stale-after.ts';
import { turnInAudit } from '../turn/turns.ts';
import { publishUndo } from '../turn/undo-sync.ts';

/** Shows an undo on another device while the list is open. */
const pollAfterMs = 5000;

interface TurnChangesProps {
  place: ChatPlace;
  /** The successful writes of a turn. */
  changes: ToolCard[];
}

/** The changes of a turn, and a button that undoes all of them. */
export function TurnChanges({ place, changes }: TurnChangesProps) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const audit = useQuery({ ...auditQuery(place), refetchInterval: open ? pollAfterMs : false });
  const [first] = changes;
  const turn = first && audit.data && turnInAudit(audit.data, first.id);
  const undo = useAskedUndo();
  const undoing = useMutation({
    mutationFn: (turnId: string) => undo((body) => undoTurn(place, turnId, body)),
    onSuccess: async () => {
      publishUndo(place);
      const keys = [auditKey(place), ...changes.flatMap(({ name }) => staleKeysAfter(name, place))];
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const undone = undoing.isSuccess || turn?.undone === true;
  return (
    <div className="min-w-0 flex-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="inline-flex h-7 items-center gap-1 rounded-sm text-xs text-ink-faint hover:text-ink"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 transition-transform', open && 'rotate-90')} />
        What this turn changed ({changes.length}){undone && ' · undone'}
      </button>
      {open && (
        <div className="flex flex-col gap-2 rounded-md border border-line bg-raised px-2.5 py-2">
          <ul className="flex flex-col gap-1 text-sm">
            {changes.map((card) => (
              <li key={card.id} className={classNames('wrap-anywhere', undone && 'text-ink-faint line-through')}>
                <span className="font-medium">{callLabel(card.name)}</span> {callSubject(card)}{' '}
                <span className="text-xs text-ink-faint">{callOutcomeLabel(card)}</span>
              </li>
            ))}
          </ul>
          {undoing.isError && <Notice tone="bad">{messageOf(undoing.error)}</Notice>}
          {audit.isError && <Notice tone="bad">{messageOf(audit.error)}</Notice>}
          {undone ? (
            <Notice tone="good">Undone. The conversation is kept as a record.</Notice>
          ) : (
            <Button
              size="small"
              className="self-start"
              disabled={turn === undefined || undoing.isPending}
              onClick={() => turn && undoing.mutate(turn.turnId)}
            >
              <Undo2 aria-hidden className="size-3.5" /> Undo all changes
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
