import type { ModelPrice, OrganizationUsage, Spent } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted } from '../../../shared/formats/counted.ts';
import { formatAmount, formatDay, formatMoney } from '../../../shared/formats/locale.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { DataTable, type TableColumn } from '../../../shared/ui/data-table.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

const figure = 'text-right tabular-nums';
const number = new Intl.NumberFormat();
const linkClass = `${textLinkClass} block truncate`;
/** The API lists up to 100; the page shows the first. */
const maxShown = 31;

/** Usage and cost by model, day, user, prompt, document and run. */
export function UsageTables({ usage }: { usage: OrganizationUsage }) {
  const columns = figuresIn(usage.currency);
  return (
    <>
      <Breakdown
        title="By model"
        columns={[{ label: 'Model', className: 'wrap-anywhere', render: modelCell }, ...columns]}
        items={usage.by_model}
        keyOf={({ model }) => model}
      />
      <Breakdown
        title="By day"
        label="Usage by day, newest first"
        columns={[{ label: 'Day (UTC)', render: ({ day }) => <time dateTime={day}>{day}</time> }, ...columns]}
        items={usage.by_day.toReversed()}
        keyOf={({ day }) => day}
      />
      <Breakdown
        title="By user"
        columns={[{ label: 'User', render: ({ name }) => name ?? 'Work without a user' }, ...columns]}
        items={usage.by_user}
        keyOf={({ user_id }) => user_id}
      />
      <Breakdown
        title="By prompt"
        columns={[{ label: 'Prompt', render: promptCell }, ...columns]}
        items={usage.by_prompt}
        keyOf={({ prompt_id }) => prompt_id}
      />
      <Breakdown
        title="By document"
        columns={[{ label: 'Document', render: documentCell }, ...columns]}
        items={usage.by_document}
        keyOf={({ document_id }) => document_id}
      />
      <Breakdown
        title="By run"
        columns={[{ label: 'Run', render: runCell }, ...columns]}
        items={usage.by_run}
        keyOf={({ run_id }) => run_id}
      />
    </>
  );
}

interface BreakdownProps<Item> {
  title: string;
  label?: string;
  columns: TableColumn<Item>[];
  items: Item[];
  keyOf: (item: Item) => string;
}

function Breakdown<Item>({
  title,
  label = `Usage ${title.toLowerCase()}`,
  columns,
  items,
  keyOf,
}: BreakdownProps<Item>) {
  if (items.length === 0) return null;
  return (
    <PageSection title={title}>
      <div className={panelClass}>
        <DataTable label={label} columns={columns} items={items.slice(0, maxShown)} keyOf={keyOf} />
      </div>
    </PageSection>
  );
}

function figuresIn(currency: string): TableColumn<Spent>[] {
  return [
    { label: 'Calls', className: `w-20 ${figure}`, render: ({ calls }) => number.format(calls) },
    {
      label: 'Tokens in',
      wideOnly: true,
      className: `w-24 ${figure}`,
      render: ({ prompt_tokens }) => number.format(prompt_tokens),
    },
    {
      label: 'Cached',
      wideOnly: true,
      className: `w-24 ${figure}`,
      render: ({ cached_tokens }) => (cached_tokens === undefined ? '–' : number.format(cached_tokens)),
    },
    {
      label: 'Tokens out',
      wideOnly: true,
      className: `w-24 ${figure}`,
      render: ({ completion_tokens }) => number.format(completion_tokens),
    },
    { label: 'SPU', className: `w-20 ${figure}`, render: ({ spu }) => number.format(spu) },
    { label: 'Cost', className: `w-24 ${figure}`, render: (spent) => costCell(spent, currency) },
  ];
}

/** What is not known is never shown as zero. */
function costCell({ calls, cost_micros, unpriced_calls }: Spent, currency: string): ReactNode {
  if (unpriced_calls === 0) return formatMoney(cost_micros, currency);
  const lacks = `The price of ${counted(unpriced_calls, 'call')} is not known.`;
  return (
    <span title={lacks}>{unpriced_calls === calls ? 'not known' : `≥ ${formatMoney(cost_micros, currency)}`}</span>
  );
}

function modelCell({ model, price }: OrganizationUsage['by_model'][number]) {
  return (
    <>
      {model}
      <span className="block text-xs text-ink-soft">{price === null ? 'price not known' : priceLabel(price)}</span>
    </>
  );
}

function priceLabel({ input, output, as_of, is_default }: ModelPrice): string {
  if (input === 0 && output === 0) return 'costs nothing';
  const dated = as_of === undefined ? '' : `, ${is_default ? 'list price of' : 'as of'} ${formatDay(as_of)}`;
  return `${formatAmount(input)} in, ${formatAmount(output)} out for a million tokens${dated}`;
}

function promptCell({ prompt_id, name }: OrganizationUsage['by_prompt'][number]) {
  if (name === null) return 'Deleted prompt';
  return (
    <Link to="/prompts/$promptId" params={{ promptId: prompt_id }} className={linkClass}>
      {name}
    </Link>
  );
}

function documentCell({ document_id, name }: OrganizationUsage['by_document'][number]) {
  if (name === null) return 'Deleted document';
  return (
    <Link to="/documents/$documentId" params={{ documentId: document_id }} className={linkClass}>
      {name}
    </Link>
  );
}

function runCell({ run_id }: OrganizationUsage['by_run'][number]) {
  return (
    <Link to="/runs/$runId" params={{ runId: run_id }} className={linkClass}>
      Run {run_id.slice(-6)}
    </Link>
  );
}

const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
/** As the operator sets them: of 1,024 kB. */
const megabytes = (bytes: number): string => `${oneDigit.format(bytes / 1024 / 1024)} MB`;

/** What the organization stores, and how much of it the operator allows. */
export function StorageUsage({ usage }: { usage: Pick<OrganizationUsage, 'stored_bytes' | 'stored_bytes_limit'> }) {
  const { stored_bytes: stored, stored_bytes_limit: limit } = usage;
  const isFull = limit !== null && stored >= limit;
  return (
    <>
      <dl className={`${panelClass} grid grid-cols-3 gap-3 p-3 [&_dt]:text-xs [&_dt]:text-ink-soft`}>
        <Figure term="Stored, with the trash" value={megabytes(stored)} />
        <Figure term="Limit" value={limit === null ? 'none' : megabytes(limit)} />
        <Figure term="Left" value={limit === null ? 'no limit' : megabytes(Math.max(0, limit - stored))} />
      </dl>
      {isFull && (
        <output className="block text-sm text-pretty text-bad">
          Nothing more can be stored. Delete documents and empty the trash, or ask your operator to raise the limit (
          <code>MAX_STORAGE_MB</code>).
        </output>
      )}
    </>
  );
}

/** One figure with its term, in a list of such. */
export function Figure({ term, value }: { term: string; value: string | undefined }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value ?? <Skeleton className="h-6 w-12" />}</dd>
    </div>
  );
}
