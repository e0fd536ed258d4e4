import type { Approval } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Check, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import { ArgumentEdit } from '../../agent-ui/argument-edit.tsx';
import { CallChange } from '../../agent-ui/call-change.tsx';
import { callLabel } from '../../agent-ui/call-labels.ts';
import type { ToolCard } from '../../agent-ui/chat-state.ts';
import { RawJson } from '../../agent-ui/raw-json.tsx';
import { messageOf } from '../../shared/http/api-error.ts';
import { parseJson } from '../../shared/http/json-value.ts';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { approvalsKey } from '../../shared/page/waiting-decisions.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { decideApprovals, groupCallsQuery } from './approvals-api.ts';
import type { Decided } from './last-outcome.tsx';
import { RejectForm } from './reject-form.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

interface GroupCardProps {
  /** One of the group, with its size. */
  group: Approval;
  /** Back to the list, where it does not stand beside. */
  onBack: (() => void) | undefined;
  onDecided: (decided: Decided) => void;
}

interface Said {
  approved: boolean;
  reason?: string;
  arguments?: string;
}

/** What calls that are alike would do, and one decision for those that are chosen; what is left out stays. */
export function GroupCard({ group, onBack, onDecided }: GroupCardProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const size = group.group_size ?? 1;
  const loaded = useQuery({ ...groupCallsQuery(orgId, group.group), enabled: size > 1 }).data;
  const calls = size > 1 ? (loaded ?? []) : [group];
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(group.call_id);
  const [draft, setDraft] = useState<'reason' | 'arguments'>();
  const [progress, setProgress] = useState(0);
  const chosen = calls.filter(({ call_id }) => !leftOut.has(call_id));
  const call = calls.find(({ call_id }) => call_id === seen) ?? calls[0] ?? group;

  const deciding = useMutation({
    mutationFn: async ({ of, said }: { of: readonly Approval[]; said: Said }) => {
      setProgress(0);
      const decisions = of.map(({ turn_id, call_id }) => ({ turn_id, call_id, ...said }));
      const outcomes = await decideApprovals(orgId, decisions, setProgress);
      const names = new Map(of.map(({ call_id, document_name }) => [call_id, document_name ?? 'a deleted document']));
      return {
        summary: group.summary,
        approved: said.approved,
        outcomes: outcomes.map((outcome) => ({ ...outcome, document_name: names.get(outcome.call_id) ?? '' })),
      };
    },
    onSuccess: onDecided,
    onSettled: () => queryClient.invalidateQueries({ queryKey: approvalsKey(orgId) }),
  });
  const decide = (of: readonly Approval[], said: Said) => {
    if (deciding.isPending || of.length === 0) return;
    setDraft(undefined);
    deciding.mutate({ of, said });
  };
  const isFree = !deciding.isPending && draft === undefined && chosen.length > 0;
  useInboxKeys(
    isFree
      ? {
          y: () => decide(chosen, { approved: true }),
          n: () => setDraft('reason'),
          e: () => setDraft('arguments'),
        }
      : {},
  );
  const count = size > 1 ? ` ${chosen.length}` : '';
  const stays = size - chosen.length;
  return (
    <section aria-label="Decision" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-auto">
        <GroupHead group={group} size={size} onBack={onBack} />
        <div className="flex flex-col gap-4 p-4">
          {deciding.isError && <Notice tone="bad">{messageOf(deciding.error)}</Notice>}
          {size > 1 && (
            <CallTable calls={calls} seen={call.call_id} onSee={setSeen} leftOut={leftOut} onLeaveOut={setLeftOut} />
          )}
          <CallDetails call={call} />
        </div>
      </div>
      <div className="flex flex-col gap-2 border-t border-line bg-surface px-4 py-2.5">
        {deciding.isPending ? (
          <Progress done={progress} total={deciding.variables.of.length} />
        ) : draft === 'reason' ? (
          <RejectForm
            count={chosen.length}
            onCancel={() => setDraft(undefined)}
            onReject={(reason) => decide(chosen, { approved: false, ...(reason === undefined ? {} : { reason }) })}
          />
        ) : draft === 'arguments' ? (
          <>
            {size > 1 && (
              <p className="text-sm text-ink-soft">
                This decides on {call.document_name ?? 'this document'} alone; the others keep waiting.
              </p>
            )}
            <ArgumentEdit
              key={call.call_id}
              className="max-h-[50dvh] overflow-auto"
              place={{ orgId, documentId: call.document_id }}
              call={{ name: call.tool, arguments: call.arguments }}
              onCancel={() => setDraft(undefined)}
              onApprove={(text) => decide([call], { approved: true, arguments: text })}
            />
          </>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              look="primary"
              className="max-md:h-11 max-md:flex-1"
              disabled={chosen.length === 0}
              onClick={() => decide(chosen, { approved: true })}
            >
              <Check aria-hidden className="size-4" /> Approve{count}
              <KeyCap name="y" />
            </Button>
            <Button className="max-md:h-11" disabled={chosen.length === 0} onClick={() => setDraft('reason')}>
              <X aria-hidden className="size-4" /> Reject…
              <KeyCap name="n" />
            </Button>
            <Button look="quiet" className="max-md:h-11" onClick={() => setDraft('arguments')}>
              <Pencil aria-hidden className="size-3.5" /> Edit
              <KeyCap name="e" />
            </Button>
            {stays > 0 && calls.length > 0 && (
              <span className="ml-auto text-sm text-ink-soft">
                {stays} {stays === 1 ? 'stays' : 'stay'} in the inbox
              </span>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

function GroupHead({ group, size, onBack }: { group: Approval; size: number; onBack: (() => void) | undefined }) {
  const memberName = useMemberName();
  const date = (text: string) => new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className="border-b border-line bg-surface px-4 py-3">
      <div className="flex items-center gap-2">
        {onBack && (
          <IconButton label="All decisions" onClick={onBack}>
            <ArrowLeft className="size-4" />
          </IconButton>
        )}
        <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{group.summary}</h2>
      </div>
      <p className="mt-1 text-sm">
        {callLabel(group.tool)}
        {size > 1 ? `, for ${size} documents alike.` : '.'}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-6 gap-y-0.5 text-sm text-ink-soft">
        <span>
          Asked by <span className="font-medium text-ink">{memberName(group.requested_by)}</span>
        </span>
        {group.run_id !== undefined && (
          <Link to="/runs/$runId" params={{ runId: group.run_id }} className="text-accent underline underline-offset-2">
            Open the run
          </Link>
        )}
        <span>
          Waiting since <span className="font-medium text-ink">{date(group.waiting_since)}</span>
        </span>
        <span>
          Expires <span className="font-medium text-ink">{date(group.expires_at)}</span>
        </span>
      </p>
    </div>
  );
}

interface CallTableProps {
  calls: readonly Approval[];
  seen: string;
  onSee: (callId: string) => void;
  leftOut: ReadonlySet<string>;
  onLeaveOut: (leftOut: ReadonlySet<string>) => void;
}

/** The calls of a group by their documents: each can be left out, and looked at. */
function CallTable({ calls, seen, onSee, leftOut, onLeaveOut }: CallTableProps) {
  const toggle = (callId: string) => {
    const next = new Set(leftOut);
    if (!next.delete(callId)) next.add(callId);
    onLeaveOut(next);
  };
  const all = leftOut.size === 0;
  return (
    <ScrollBox label="Documents of this decision" className="bg-surface">
      <label className="flex items-center gap-3 border-b border-line px-3 py-2 text-sm text-ink-soft">
        <input
          type="checkbox"
          checked={all}
          onChange={() => onLeaveOut(all ? new Set(calls.map(({ call_id }) => call_id)) : new Set())}
          className="size-4 accent-accent"
        />
        All documents
      </label>
      <ul>
        {calls.map(({ call_id, document_name }) => (
          <li
            key={call_id}
            className={classNames(
              'flex items-center gap-3 border-b border-line px-3 last:border-b-0',
              call_id === seen && 'bg-accent-soft',
            )}
          >
            <input
              type="checkbox"
              aria-label={`Decide on ${document_name ?? 'a deleted document'}`}
              checked={!leftOut.has(call_id)}
              onChange={() => toggle(call_id)}
              className="size-4 shrink-0 accent-accent"
            />
            <button
              type="button"
              aria-current={call_id === seen ? 'true' : undefined}
              onClick={() => onSee(call_id)}
              className="min-w-0 flex-1 truncate py-1.5 text-left text-sm max-md:py-3"
            >
              {document_name ?? 'a deleted document'}
            </button>
          </li>
        ))}
      </ul>
    </ScrollBox>
  );
}

/** What one call would change, why, and where to look. */
function CallDetails({ call }: { call: Approval }) {
  const { preview } = call;
  const card: ToolCard = {
    id: call.call_id,
    name: call.tool,
    arguments: call.arguments,
    state: 'waiting',
    proposal: { effect: call.effect, summary: call.summary, needs_approval: true, ...(preview && { preview }) },
  };
  const field = preview?.kind === 'field' ? preview.path : undefined;
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <h3 className="min-w-0 flex-1 font-medium wrap-anywhere">{call.document_name ?? 'A deleted document'}</h3>
        {call.document_name !== null && (
          <Link
            to="/documents/$documentId"
            params={{ documentId: call.document_id }}
            search={field === undefined ? { tab: 'agent', thread: call.thread_id } : { tab: 'extraction', field }}
            className="text-accent underline underline-offset-2"
          >
            {field === undefined ? 'Open the document' : 'Open at its place'}
          </Link>
        )}
      </div>
      {call.said !== undefined && (
        <p className="max-h-40 overflow-auto text-sm wrap-anywhere whitespace-pre-line text-ink-soft">{call.said}</p>
      )}
      <CallChange card={card} />
      <RawJson label="Arguments" value={parseJson(call.arguments) ?? call.arguments} />
    </div>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5 text-sm">
      <span>
        Deciding: {done} of {total}
      </span>
      <progress aria-label="Decided" value={done} max={total} className="h-1.5 w-full accent-accent" />
    </div>
  );
}
