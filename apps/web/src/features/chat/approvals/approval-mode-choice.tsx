import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Hand, Zap } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { permissionRulesQuery } from '../../../shared/api/permission-rules-api.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { applicableRules, automaticLabel } from './applicable-rules.ts';
import type { Approvals } from './use-approval-mode.ts';

const ApprovalDialog = lazyPart(async () => ({ default: (await import('./approval-dialog.tsx')).ApprovalDialog }));

interface ApprovalModeChoiceProps {
  place: ChatPlace;
  threadId: string | undefined;
  approvals: Approvals;
}

/** Shows what the agent runs automatically; opens the dialog to change it. */
export function ApprovalModeChoice({ place, threadId, approvals }: ApprovalModeChoiceProps) {
  const [open, setOpen] = useState(false);
  const rules = useQuery(permissionRulesQuery(place.orgId));
  const applicable = applicableRules(rules.data?.permission_rules ?? [], place.documentId, threadId);
  const automatic = automaticLabel(approvals, applicable);
  const Icon = automatic === undefined ? Hand : Zap;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={classNames(
          'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm',
          automatic === undefined ? 'text-ink-soft hover:bg-hover' : 'bg-warn-soft font-medium text-warn',
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{automatic ?? 'Asks before changes'}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </button>
      {open && (
        <Suspense>
          <ApprovalDialog place={place} approvals={approvals} rules={applicable} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
