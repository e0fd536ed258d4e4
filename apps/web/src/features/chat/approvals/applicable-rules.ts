import type { PermissionRule } from '@docwright/contract';
import { conditionLabel } from '../../../shared/formats/rule-condition.ts';
import { callLabel } from '../../../agent-ui/call-labels.ts';
import type { Approvals } from './use-approval-mode.ts';

/** The rules that apply in a conversation. */
export function applicableRules(
  rules: readonly PermissionRule[],
  documentId: string,
  threadId: string | undefined,
): PermissionRule[] {
  return rules.filter(({ scope, document_id, thread_id }) => {
    if (scope === 'organization') return true;
    return scope === 'document' ? document_id === documentId : threadId !== undefined && thread_id === threadId;
  });
}

/** Describes what runs automatically; undefined if every change needs approval. */
export function automaticLabel(
  { mode, tools }: Pick<Approvals, 'mode' | 'tools'>,
  rules: PermissionRule[],
): string | undefined {
  if (mode === 'everything') return 'Runs everything automatically';
  const allowed = new Set([
    ...(mode === 'chosen' ? tools : []),
    ...rules.filter(({ effect }) => effect === 'allow').map(({ tool }) => tool),
  ]);
  const [only] = allowed;
  if (only === undefined) return undefined;
  return allowed.size === 1 ? `Automatic: ${callLabel(only)}` : `Runs ${allowed.size} tools automatically`;
}

const effects: Record<PermissionRule['effect'], string> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' };
const scopes: Record<PermissionRule['scope'], string> = {
  thread: 'in this conversation',
  document: 'for this document',
  organization: 'in the organization',
};

/** Describes a rule: "Allow create_tag for this document". */
export function ruleLabel({ effect, tool, scope, when }: PermissionRule): string {
  const condition = conditionLabel(when);
  return `${effects[effect]} ${tool} ${scopes[scope]}${condition === '' ? '' : `, ${condition}`}`;
}
