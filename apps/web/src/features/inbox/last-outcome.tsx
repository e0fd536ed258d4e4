import type { Approval, ApprovalOutcome } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { undoTurn } from '../../shared/api/chat-api.ts';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { outcomeLabel } from './inbox-labels.ts';

/** A decision on a group, with the outcome of each call. */
export interface DecidedCalls {
  summary: string;
  approved: boolean;
  /** The arguments or the reason that the user has typed. */
  typed: string | undefined;
  outcomes: readonly (ApprovalOutcome & { call: Approval })[];
}

/** Shows the result of the last decision, with Undo, and the reason for each undecided call. */
export function LastOutcome({ decided, onClose }: { decided: DecidedCalls; onClose: () => void }) {
  const { me } = useSession();
  const open = decided.outcomes.filter(({ status }) => status !== 'decided');
  const done = decided.approved ? decided.outcomes.filter(({ status }) => status === 'decided') : [];
  const ownCalls = done.map(({ call }) => call).filter(({ requested_by }) => requested_by === me.user.id);
  const run = ownCalls.length === 0 ? done[0]?.call.run_id : undefined;
  return (
    <Notice
      tone={open.length === 0 ? 'good' : 'warn'}
      className="rounded-none border-b border-line"
      actions={
        <span className="flex items-center gap-1">
          {ownCalls.length > 0 && <UndoDecided calls={ownCalls} />}
          {run !== undefined && (
            <Link to="/runs/$runId" params={{ runId: run }} className="text-sm underline underline-offset-2">
              Open the run
            </Link>
          )}
          <IconButton label="Close this message" onClick={onClose}>
            <X className="size-3.5" />
          </IconButton>
        </span>
      }
    >
      <output className="block wrap-anywhere">
        <span className="font-medium">{outcomeLabel(decided.outcomes, decided.approved)}</span> {decided.summary}
      </output>
      {open.length > 0 && (
        <ul className="max-h-32 list-disc overflow-auto pl-4">
          {open.map(({ call, message, status }) => (
            <li key={call.call_id} className="wrap-anywhere">
              {call.document_name ?? 'a deleted document'}: {message ?? status}
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && decided.typed !== undefined && (
        <>
          <p>You had typed:</p>
          <pre className="max-h-32 overflow-auto text-sm whitespace-pre-wrap">{decided.typed}</pre>
        </>
      )}
    </Notice>
  );
}

const retryMs = 500;
/** A busy worker executes a decided call some time later. */
const maxWaitMs = 60_000;

/** Undoes the turns of the approved calls in the user's own chats and runs. */
function UndoDecided({ calls }: { calls: readonly Approval[] }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const turns = [...new Map(calls.map((call) => [call.turn_id, call])).values()];
  const [undone, setUndone] = useState(0);
  const undoing = useMutation({
    mutationFn: async () => {
      const failures: string[] = [];
      for (const [at, call] of turns.entries()) {
        await undoOnceEnded(orgId, call).catch((error: unknown) => {
          failures.push(`${call.document_name ?? 'a deleted document'}: ${messageOf(error)}`);
        });
        setUndone(at + 1);
      }
      return failures;
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  if (undoing.isSuccess) {
    const failed = undoing.data.length;
    return (
      <output className="text-sm" title={undoing.data.join('\n')}>
        {failed === 0 ? 'Undone' : `Undone ${turns.length - failed}; ${failed} could not be: ${undoing.data[0]}`}
      </output>
    );
  }
  return (
    <Button size="small" disabled={undoing.isPending} onClick={() => undoing.mutate()}>
      <Undo2 aria-hidden className="size-3.5" />
      {undoing.isPending ? `Undoing ${undone} of ${turns.length}` : 'Undo'}
    </Button>
  );
}

async function undoOnceEnded(orgId: string, { document_id, turn_id }: Approval): Promise<void> {
  const until = Date.now() + maxWaitMs;
  for (;;) {
    try {
      await undoTurn({ orgId, documentId: document_id }, turn_id);
      return;
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'turn_not_ended';
      if (!isRunning || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
