import type { OrganizationUsage } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../shared/api/account/organization-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { DataTable, type Column } from '../../shared/ui/data-table.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { BudgetForm } from './budget-form.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

type Spent = OrganizationUsage['by_day'][number] | OrganizationUsage['by_model'][number];

const figure = 'text-right tabular-nums';
const number = new Intl.NumberFormat();
const figures: Column<Spent>[] = [
  { label: 'Calls', className: `w-20 ${figure}`, render: ({ calls }) => number.format(calls) },
  {
    label: 'Tokens in',
    wideOnly: true,
    className: `w-28 ${figure}`,
    render: ({ prompt_tokens }) => number.format(prompt_tokens),
  },
  {
    label: 'Cached',
    wideOnly: true,
    className: `w-28 ${figure}`,
    render: ({ cached_tokens }) => (cached_tokens === undefined ? '–' : number.format(cached_tokens)),
  },
  {
    label: 'Tokens out',
    wideOnly: true,
    className: `w-28 ${figure}`,
    render: ({ completion_tokens }) => number.format(completion_tokens),
  },
  { label: 'SPU', className: `w-20 ${figure}`, render: ({ spu }) => number.format(spu) },
];

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
  return (
    <>
      <PageSection
        title="Usage"
        note="In service processing units (SPU): one per started 1,000 tokens in and out, at least one a model call."
      >
        <dl className={`${panelClass} grid grid-cols-3 gap-3 p-3 [&_dt]:text-xs [&_dt]:text-ink-soft`}>
          <Figure term={`Used ${period}`} value={data && number.format(data.spu_used)} />
          <Figure term="Limit" value={data && (data.spu_limit === null ? 'none' : number.format(data.spu_limit))} />
          <Figure
            term="Left"
            value={data && (data.spu_balance === null ? 'no limit' : number.format(data.spu_balance))}
          />
        </dl>
        {organization.role === 'admin' && data && (
          <BudgetForm key={`${data.spu_limit} ${data.period}`} limit={data.spu_limit} period={data.period} />
        )}
      </PageSection>
      {data === undefined ? null : data.by_day.length === 0 ? (
        <p className="text-sm text-ink-soft">
          No model call {data.period === 'month' ? 'this month yet' : 'yet'}. Ask the agent something on a document’s
          page.
        </p>
      ) : (
        <>
          <PageSection title="By model">
            <div className={panelClass}>
              <DataTable
                label="Usage by model"
                columns={[{ label: 'Model', className: 'wrap-anywhere', render: ({ model }) => model }, ...figures]}
                items={data.by_model}
                keyOf={({ model }) => model}
              />
            </div>
          </PageSection>
          <PageSection title="By day">
            <div className={panelClass}>
              <DataTable
                label="Usage by day, newest first"
                columns={[{ label: 'Day (UTC)', render: ({ day }) => <time dateTime={day}>{day}</time> }, ...figures]}
                items={data.by_day.toReversed().slice(0, 31)}
                keyOf={({ day }) => day}
              />
            </div>
          </PageSection>
        </>
      )}
    </>
  );
}

function Figure({ term, value }: { term: string; value: string | undefined }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value ?? <Skeleton className="h-6 w-12" />}</dd>
    </div>
  );
}
