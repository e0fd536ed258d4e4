import type { PermissionRule } from '@docwright/contract';
import { conditionLabel } from '../../../shared/formats/rule-condition.ts';
import { callLabel } from '../../../agent-ui/call-labels.ts';
import type { Approvals } from './use-approval-mode.ts';

/** The rules that hold in one conversation. */
export function rulesHere(
  rules: readonly PermissionRule[],
  documentId: string,
  threadId: string | undefined,
): PermissionRule[] {
  return rules.filter(({ scope, document_id, thread_id }) => {
    if (scope === 'organization') return true;
    return scope === 'document' ? document_id === documentId : threadId !== undefined && thread_id === threadId;
  });
}

/** What runs without being asked about, in a few words; undefined where every change is asked about. */
export function runsUnasked(
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

/** A rule in words: "Allow create_tag for this document". */
export function ruleLabel({ effect, tool, scope, when }: PermissionRule): string {
  const condition = conditionLabel(when);
  return `${effects[effect]} ${tool} ${scopes[scope]}${condition === '' ? '' : `, ${condition}`}`;
}
