import type { PermissionRule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { toolsQuery, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ApprovalModeForm } from './approval-mode-form.tsx';
import { PermissionRuleList } from './permission-rule-list.tsx';
import type { Approvals } from './use-approval-mode.ts';

interface ApprovalDialogProps {
  place: ChatPlace;
  approvals: Approvals;
  /** Those that hold in this conversation. */
  rules: PermissionRule[];
  onClose: () => void;
}

/** What the agent may do unasked: by the person's choice here, and by rules. */
export function ApprovalDialog({ place, approvals, rules, onClose }: ApprovalDialogProps) {
  const tools = useQuery(toolsQuery(place)).data?.read_write ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="What the agent may do unasked"
      description="Reading never waits. A rule that denies or asks holds over what is chosen here."
    >
      <ApprovalModeForm approvals={approvals} tools={tools} />
      <PermissionRuleList orgId={place.orgId} rules={rules} />
    </Dialog>
  );
}
