import type { PermissionRule } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { deletePermissionRule, permissionRulesKey } from '../../../shared/api/permission-rules-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ruleWords } from './rules-here.ts';

/** The rules that hold here; one's own go with a click, the organization's with an admin's. */
export function PermissionRuleList({ orgId, rules }: { orgId: string; rules: PermissionRule[] }) {
  const { organization } = useSession();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: (id: string) => deletePermissionRule(orgId, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: permissionRulesKey(orgId) }),
  });
  return (
    <section aria-label="Rules that hold here" className="flex flex-col gap-1 border-t border-line pt-3">
      <h3 className="text-sm font-medium">Rules that hold here</h3>
      {rules.length === 0 && <p className="text-sm text-ink-faint">None yet. “Always allow” on a card makes one.</p>}
      <ul className="flex flex-col">
        {rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2 text-sm">
            <span className="min-w-0 flex-1 wrap-anywhere">{ruleWords(rule)}</span>
            {(rule.scope !== 'organization' || organization.role === 'admin') && (
              <IconButton
                label={`Delete the rule: ${ruleWords(rule)}`}
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
