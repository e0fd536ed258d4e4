import type { PermissionRule } from '@docwright/contract';
import { conditionLabel } from '../../shared/formats/rule-condition.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  deletePermissionRule,
  permissionRulesKey,
  permissionRulesQuery,
} from '../../shared/api/permission-rules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { DataTable, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { NewRuleForm } from './new-rule-form.tsx';
import { ruleEffectLabel } from './rule-labels.ts';
import { PageSection } from '../../shared/page/page-section.tsx';

const scopeLabels = { organization: 'Everywhere', document: 'One document', thread: 'One thread' };

export function RuleSettings() {
  const { orgId, organization, canWrite } = useSession();
  const admin = organization.role === 'admin';
  const queryClient = useQueryClient();
  const rules = useQuery(permissionRulesQuery(orgId));
  const [deleting, setDeleting] = useState<PermissionRule>();
  const columns: TableColumn<PermissionRule>[] = [
    {
      label: 'Tool',
      render: ({ tool, when }) => (
        <>
          <span className="block font-mono text-xs wrap-anywhere">{tool}</span>
          {when && <span className="block text-xs text-ink-soft wrap-anywhere">{conditionLabel(when)}</span>}
        </>
      ),
    },
    { label: 'What happens', className: 'w-28', render: ({ effect }) => ruleEffectLabel[effect] },
    { label: 'Where', wideOnly: true, className: 'w-36 text-ink-soft', render: ({ scope }) => scopeLabels[scope] },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-12 text-right',
      render: (rule) =>
        (admin || (canWrite && rule.scope !== 'organization')) && (
          <IconButton label={`Delete the rule for ${rule.tool}`} onClick={() => setDeleting(rule)}>
            <Trash2 className="size-3.5" />
          </IconButton>
        ),
    },
  ];
  return (
    <PageSection
      title="Permission rules"
      note="What the agent’s tools may do. Without a rule, reading runs and writing asks. “Never” overrides “ask”; “ask” overrides “run”."
    >
      {rules.isError ? (
        <RetryNotice error={rules.error} retry={() => void rules.refetch()} />
      ) : (
        <div className={panelClass}>
          {rules.data?.permission_rules.length === 0 ? (
            <EmptyState icon={ShieldCheck} title="Every write asks">
              There are no rules yet. {admin ? 'Add one below, or ' : 'You can '}
              choose “Always allow” on a card in the chat.
            </EmptyState>
          ) : (
            <DataTable
              label="Permission rules"
              columns={columns}
              items={rules.data?.permission_rules}
              keyOf={({ id }) => id}
            />
          )}
        </div>
      )}
      {admin ? (
        <NewRuleForm />
      ) : (
        <p className="text-sm text-ink-soft">Only admins can write rules for the organization.</p>
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete this rule?"
          description={`From the next call on, other rules decide about “${deleting.tool}”. Without a matching rule, writes ask first.`}
          action="Delete"
          run={async () => {
            await deletePermissionRule(orgId, deleting.id);
            await queryClient.invalidateQueries({ queryKey: permissionRulesKey(orgId) });
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </PageSection>
  );
}
