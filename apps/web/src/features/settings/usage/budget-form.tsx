import type { BudgetChange, BudgetPeriod } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { seenState } from '../../../shared/http/seen-state.ts';
import { setBudget, usageKey } from '../../../shared/api/account/organization-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useChange } from '../../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';

interface Draft {
  text?: string;
  money?: string;
  period?: BudgetPeriod;
}

/** What a draft has of its own since another one was sent. */
const changedSince = (sent: Draft, now: Draft): Draft => ({
  ...(now.text !== undefined && now.text !== sent.text && { text: now.text }),
  ...(now.money !== undefined && now.money !== sent.money && { money: now.money }),
  ...(now.period !== undefined && now.period !== sent.period && { period: now.period }),
});

interface BudgetFormProps {
  /** In SPU. */
  limit: number | null;
  /** In millionths of the currency's unit. */
  costLimit: number | null;
  currency: string;
  period: BudgetPeriod;
}

/** Sends only what the user has changed, and shows what others set meanwhile in the other fields. */
export function BudgetForm({ limit, costLimit, currency, period }: BudgetFormProps) {
  const { orgId } = useSession();
  const [draft, setDraft] = useState<Draft>({});
  const [seen] = useState(() => seenState<BudgetChange>({}));
  /** The limits that are shown when the user begins to change them are those that they have seen. */
  const edit = (part: Draft) => {
    if (Object.keys(draft).length === 0) seen.saw({ spu_limit: limit, cost_limit_micros: costLimit, period });
    setDraft({ ...draft, ...part });
  };
  const change: BudgetChange = {
    ...(draft.text !== undefined && { spu_limit: draft.text === '' ? null : Number(draft.text) }),
    ...(draft.money !== undefined && {
      cost_limit_micros: draft.money === '' ? null : Math.round(Number(draft.money) * 1_000_000),
    }),
    ...(draft.period !== undefined && { period: draft.period }),
  };
  const saving = useChange((_sent: Draft) => setBudget(orgId, change, seen), {
    refreshes: [usageKey(orgId)],
    says: 'Budget saved.',
    // What was typed while it saved stays.
    onDone: ({ spu_limit, cost_limit_micros, period: stored }, sent) => {
      seen.saw({ spu_limit, cost_limit_micros, period: stored });
      setDraft((now) => changedSince(sent, now));
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(draft);
  };
  return (
    <form onSubmit={onSubmit} aria-label="Budget" className="flex flex-wrap items-start gap-2">
      <UnsavedGuard dirty={Object.keys(change).length > 0 && !saving.isPending} />
      <TextField
        label="Limit in SPU"
        type="number"
        min={0}
        max={1_000_000_000}
        step={1}
        help="Leave empty for no limit."
        className="w-40"
        value={draft.text ?? (limit === null ? '' : String(limit))}
        error={saving.isError ? messageOf(saving.error) : undefined}
        onChange={({ target }) => edit({ text: target.value })}
      />
      <TextField
        label={`Limit in ${currency}`}
        type="number"
        min={0}
        max={1_000_000_000}
        step="any"
        help="Models without a known price are then refused."
        className="w-48"
        value={draft.money ?? (costLimit === null ? '' : String(costLimit / 1_000_000))}
        onChange={({ target }) => edit({ money: target.value })}
      />
      <SelectField
        label="Counted"
        className="w-36"
        value={draft.period ?? period}
        options={[
          { value: 'total', label: 'In all' },
          { value: 'month', label: 'Each month' },
        ]}
        onChange={(value) => edit({ period: value as BudgetPeriod })}
      />
      <Button type="submit" className="mt-5.5" disabled={saving.isPending || Object.keys(change).length === 0}>
        Set
      </Button>
    </form>
  );
}
