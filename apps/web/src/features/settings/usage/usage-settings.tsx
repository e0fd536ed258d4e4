import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../../shared/api/account/organization-api.ts';
import { formatMoney } from '../../../shared/formats/locale.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { BudgetForm } from './budget-form.tsx';
import { Figure, StorageUsage, UsageTables } from './usage-tables.tsx';

const number = new Intl.NumberFormat();

export function UsageSettings() {
  const { orgId, organization } = useSession();
  const usage = useQuery(usageQuery(orgId));
  if (usage.isError) {
    return (
      <PageSection title="Usage">
        <RetryNotice error={usage.error} retry={() => void usage.refetch()} />
      </PageSection>
    );
  }
  const { data } = usage;
  const period = data?.period === 'month' ? 'this month' : 'in all';
  const money = (micros: number | null, none: string) =>
    data && (micros === null ? none : formatMoney(micros, data.currency));
  return (
    <>
      <PageSection
        title="Usage"
        note="In service processing units (SPU): one per started 1,000 tokens in and out, at least one a model call. And in money, for models with a known price."
      >
        <dl className={`${panelClass} grid grid-cols-3 gap-3 p-3 [&_dt]:text-xs [&_dt]:text-ink-soft`}>
          <Figure term={`SPU used ${period}`} value={data && number.format(data.spu_used)} />
          <Figure term="Limit" value={data && (data.spu_limit === null ? 'none' : number.format(data.spu_limit))} />
          <Figure
            term="Left"
            value={data && (data.spu_balance === null ? 'no limit' : number.format(data.spu_balance))}
          />
          <Figure term={`Cost ${period}`} value={data && money(data.cost_used_micros, '')} />
          <Figure term="Limit" value={data && money(data.cost_limit_micros, 'none')} />
          <Figure term="Left" value={data && money(data.cost_balance_micros, 'no limit')} />
        </dl>
        {data && <StorageUsage usage={data} />}
        {data !== undefined && data.unpriced_calls > 0 && (
          <p className="text-sm text-pretty text-ink-soft">
            The cost lacks {counted(data.unpriced_calls, 'call')} of models whose price is not known. Your operator can
            set prices (<code>MODEL_PRICES</code>).
          </p>
        )}
        {organization.role === 'admin' && data && (
          <BudgetForm
            key={orgId}
            limit={data.spu_limit}
            costLimit={data.cost_limit_micros}
            currency={data.currency}
            period={data.period}
          />
        )}
      </PageSection>
      {data === undefined ? null : data.by_day.length === 0 ? (
        <p className="text-sm text-ink-soft">
          No model call {data.period === 'month' ? 'this month yet' : 'yet'}. Ask the agent something on a document’s
          page.
        </p>
      ) : (
        <UsageTables usage={data} />
      )}
    </>
  );
}
