import type { PermissionRule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { toolsQuery, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import type { Approvals, ApprovalMode } from './use-approval-mode.ts';
import { callLabel } from '../../../agent-ui/call-labels.ts';
import { Trash2 } from 'lucide-react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { deletePermissionRule, permissionRulesKey } from '../../../shared/api/permission-rules-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ruleLabel } from './applicable-rules.ts';
import { useChange } from '../../../shared/page/use-change.ts';

interface ApprovalDialogProps {
  place: ChatPlace;
  approvals: Approvals;
  /** The rules that apply in this conversation. */
  rules: PermissionRule[];
  onClose: () => void;
}

/** Sets what the agent runs automatically, and lists the rules that apply. */
export function ApprovalDialog({ place, approvals, rules, onClose }: ApprovalDialogProps) {
  const tools = useQuery(toolsQuery(place)).data?.read_write ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="What the agent runs automatically"
      description="It counts from your next message: a turn that runs or waits keeps what it was started with. Rules that deny or ask override it. Reading never needs approval."
    >
      <ApprovalModeForm approvals={approvals} tools={tools} />
      <PermissionRuleList orgId={place.orgId} rules={rules} />
    </Dialog>
  );
}

const modes: { mode: ApprovalMode; label: string; note: string }[] = [
  { mode: 'ask', label: 'Ask before every change', note: 'Each change waits for your approval.' },
  { mode: 'chosen', label: 'Run selected tools automatically', note: 'Other tools wait for approval.' },
  {
    mode: 'everything',
    label: 'Run everything automatically',
    note: 'Nothing waits for approval. You can undo a whole turn.',
  },
];

/** The approval mode and, for the mode `chosen`, its tools. */
function ApprovalModeForm({ approvals, tools }: { approvals: Approvals; tools: string[] }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Approval</legend>
      {modes.map(({ mode, label, note }) => (
        <label key={mode} className="flex cursor-pointer items-start gap-2 rounded-sm px-1 py-1 text-sm hover:bg-hover">
          <input
            type="radio"
            name="approval-mode"
            checked={approvals.mode === mode}
            onChange={() => approvals.setMode(mode)}
            className="mt-0.5 accent-accent"
          />
          <span>
            {label}
            <span className="block text-xs text-ink-faint">{note}</span>
          </span>
        </label>
      ))}
      {approvals.mode === 'chosen' && (
        <div className="grid grid-cols-2 gap-x-3 pl-6 max-md:grid-cols-1">
          {tools.map((tool) => (
            <label
              key={tool}
              className="flex cursor-pointer items-center gap-2 rounded-sm px-1 py-0.5 text-sm hover:bg-hover"
            >
              <input
                type="checkbox"
                checked={approvals.tools.includes(tool)}
                onChange={(event) => approvals.setTool(tool, event.target.checked)}
                className="accent-accent"
              />
              {callLabel(tool)}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** The rules that apply, each with a button to delete it; organization rules can be deleted by admins only. */
function PermissionRuleList({ orgId, rules }: { orgId: string; rules: PermissionRule[] }) {
  const { organization } = useSession();
  const deleting = useChange((id: string) => deletePermissionRule(orgId, id), {
    refreshes: [permissionRulesKey(orgId)],
  });
  return (
    <section aria-label="Rules that apply here" className="flex flex-col gap-1 border-t border-line pt-3">
      <h3 className="text-sm font-medium">Rules that apply here</h3>
      {rules.length === 0 && <p className="text-sm text-ink-faint">None yet. “Always allow” on a card creates one.</p>}
      <ul className="flex flex-col">
        {rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2 text-sm">
            <span className="min-w-0 flex-1 wrap-anywhere">{ruleLabel(rule)}</span>
            {(rule.scope !== 'organization' || organization.role === 'admin') && (
              <IconButton
                label={`Delete the rule: ${ruleLabel(rule)}`}
                disabled={deleting.isPending}
                onClick={() => deleting.mutate(rule.id)}
              >
                <Trash2 aria-hidden className="size-3.5" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {deleting.isError && <Notice tone="bad">{messageOf(deleting.error)}</Notice>}
    </section>
  );
}
