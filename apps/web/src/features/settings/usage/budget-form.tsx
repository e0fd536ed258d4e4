import type { BudgetPeriod } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { setBudget, usageKey } from '../../../shared/api/account/organization-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useChange } from '../../../shared/page/use-change.ts';

interface BudgetFormProps {
  /** In SPU. */
  limit: number | null;
  /** In millionths of the currency's unit. */
  costLimit: number | null;
  currency: string;
  period: BudgetPeriod;
}

export function BudgetForm({ limit, costLimit, currency, period: present }: BudgetFormProps) {
  const { orgId } = useSession();
  const [text, setText] = useState(limit === null ? '' : String(limit));
  const [money, setMoney] = useState(costLimit === null ? '' : String(costLimit / 1_000_000));
  const [period, setPeriod] = useState(present);
  const saving = useChange(
    () =>
      setBudget(orgId, {
        spu_limit: text === '' ? null : Number(text),
        cost_limit_micros: money === '' ? null : Math.round(Number(money) * 1_000_000),
        period,
      }),
    { refreshes: [usageKey(orgId)], says: 'Budget saved.' },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={onSubmit} aria-label="Budget" className="flex flex-wrap items-start gap-2">
      <TextField
        label="Limit in SPU"
        type="number"
        min={0}
        max={1_000_000_000}
        step={1}
        help="Leave empty for no limit."
        className="w-40"
        value={text}
        error={saving.isError ? messageOf(saving.error) : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <TextField
        label={`Limit in ${currency}`}
        type="number"
        min={0}
        max={1_000_000_000}
        step="any"
        help="Models without a known price are then refused."
        className="w-48"
        value={money}
        onChange={(event) => setMoney(event.target.value)}
      />
      <SelectField
        label="Counted"
        className="w-36"
        value={period}
        options={[
          { value: 'total', label: 'In all' },
          { value: 'month', label: 'Each month' },
        ]}
        onChange={(value) => setPeriod(value as BudgetPeriod)}
      />
      <Button type="submit" className="mt-5.5" disabled={saving.isPending}>
        Set
      </Button>
    </form>
  );
}
