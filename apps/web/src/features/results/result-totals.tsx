import type { ResultSummary, WhereCondition } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Sigma, X } from 'lucide-react';
import { resultFilterOf, type ResultSearch } from '../../shared/addresses/result-search.ts';
import { resultSummaryQuery } from '../../shared/api/results-api.ts';
import { counted } from '../../shared/formats/counted.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { cellText, currencyColumn, type ShownColumn } from './columns/result-columns.ts';

type Total = ResultSummary['totals'][number];

const none = 'none';
/** More groups are in the answer of the API. */
const maxGroups = 200;

interface ResultTotalsProps {
  promptId: string;
  search: ResultSearch;
  columns: ShownColumn[];
  /** Undefined while the rows load. */
  total: number | undefined;
  onChange: (change: { group?: string | undefined; sum?: string | undefined }) => void;
  /** Narrows the rows to a group. */
  onGroup: (condition: WhereCondition) => void;
}

/** How many rows there are, the sum of a column, and both by groups. Amounts of different currencies stay apart. */
export function ResultTotals({ promptId, search, columns, total, onChange, onGroup }: ResultTotalsProps) {
  const { orgId } = useSession();
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const sum = numbers.find(({ path }) => path === search.sum);
  const group = columns.find(({ path }) => path === search.group);
  const currency = sum && currencyColumn(columns);
  const byCurrency = currency !== undefined && currency.path !== group?.path ? currency : undefined;
  const keys = [group, byCurrency].flatMap((column) => column?.path ?? []);
  const summary = useQuery({
    ...resultSummaryQuery(orgId, promptId, {
      ...resultFilterOf(search),
      group_by: keys.length > 0 ? keys : undefined,
      sum: sum?.path,
    }),
    enabled: sum !== undefined || group !== undefined,
  });
  const totals = sum === undefined && group === undefined ? undefined : summary.data?.totals;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
        <output className="font-medium tabular-nums">{total === undefined ? '\u00A0' : counted(total, 'row')}</output>
        {numbers.length > 0 && (
          <Choice
            label="Sum"
            icon={<Sigma aria-hidden className="size-3.5 text-ink-faint" />}
            className="max-w-56"
            value={sum?.path ?? none}
            options={[
              { value: none, label: 'No sum' },
              ...numbers.map(({ path, label }) => ({ value: path, label: `Sum of ${label}` })),
            ]}
            onChange={(path) => onChange({ sum: path === none ? undefined : path })}
          />
        )}
        {sum && !group && totals && <SumLine totals={totals} sum={sum} hasCurrency={byCurrency !== undefined} />}
        {columns.length > 0 && (
          <Choice
            label="Group"
            className="max-w-56"
            value={group?.path ?? none}
            options={[
              { value: none, label: 'No groups' },
              ...columns
                .filter(({ kind }) => kind !== 'moment')
                .map(({ path, label }) => ({ value: path, label: `By ${label}` })),
            ]}
            onChange={(path) => onChange({ group: path === none ? undefined : path })}
          />
        )}
      </div>
      {summary.error !== null && <RetryNotice error={summary.error} retry={() => void summary.refetch()} />}
      {group && totals && (
        <Groups
          totals={totals}
          count={summary.data?.total_count ?? totals.length}
          group={group}
          currency={byCurrency}
          sum={sum}
          onGroup={onGroup}
          onClose={() => onChange({ group: undefined })}
        />
      )}
    </>
  );
}

function SumLine({ totals, sum, hasCurrency }: { totals: Total[]; sum: ShownColumn; hasCurrency: boolean }) {
  const without = totals.reduce((count, total) => count + total.without_value, 0);
  const sums = totals.filter(({ count, without_value }) => count > without_value);
  return (
    <output aria-label={`Sum of ${sum.label}`} className="flex flex-wrap gap-x-3 tabular-nums">
      {sums.map((total) => (
        <span key={JSON.stringify(total.key)} className="font-medium">
          {hasCurrency && <span className="text-ink-soft">{keyText(total.key[0], 'no currency')} </span>}
          {cellText(total.sum, sum)}
        </span>
      ))}
      {without > 0 && <span className="text-ink-soft">{without.toLocaleString()} without a value</span>}
    </output>
  );
}

const keyText = (value: unknown, missing: string): string =>
  value === null || value === undefined ? missing : typeof value === 'string' ? value : JSON.stringify(value);

interface GroupsProps {
  totals: Total[];
  count: number;
  group: ShownColumn;
  currency: ShownColumn | undefined;
  sum: ShownColumn | undefined;
  onGroup: (condition: WhereCondition) => void;
  onClose: () => void;
}

function Groups({ totals, count, group, currency, sum, onGroup, onClose }: GroupsProps) {
  const shown = totals.slice(0, maxGroups);
  const number = 'px-3 text-right tabular-nums whitespace-nowrap';
  return (
    <section
      aria-label={`Totals by ${group.label}`}
      className="relative max-h-56 shrink-0 overflow-auto rounded-lg border border-line bg-surface"
    >
      <table aria-label={`Totals by ${group.label}`} className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="h-8 text-left text-xs [&>th]:sticky [&>th]:top-0 [&>th]:border-b [&>th]:border-line [&>th]:bg-surface [&>th]:font-medium [&>th]:text-ink-faint">
            <th scope="col" className="px-3">
              {group.label}
            </th>
            {currency && <th scope="col">{currency.label}</th>}
            <th scope="col" className={number}>
              Rows
            </th>
            {sum && (
              <>
                <th scope="col" className={number}>
                  Sum of {sum.label}
                </th>
                <th scope="col" className={`${number} max-sm:hidden`}>
                  Without a value
                </th>
              </>
            )}
            <th scope="col" className="w-10">
              <IconButton label="Close the groups" onClick={onClose}>
                <X className="size-4" />
              </IconButton>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((total) => {
            const [value, unit] = total.key;
            const text = cellText(value, group);
            return (
              <tr key={JSON.stringify(total.key)} className="h-8 hover:bg-hover [&>td]:border-b [&>td]:border-line">
                <td className="max-w-72 px-3">
                  <button
                    type="button"
                    title="Show these rows"
                    onClick={() =>
                      onGroup({ path: group.path, op: '=', value: value === null ? null : keyText(value, '') })
                    }
                    className="block max-w-full truncate rounded-sm underline-offset-2 hover:underline"
                  >
                    {text === '' ? <span className="text-ink-faint">Empty</span> : text}
                  </button>
                </td>
                {currency && <td>{keyText(unit, '–')}</td>}
                <td className={number}>{total.count.toLocaleString()}</td>
                {sum && (
                  <>
                    <td className={number}>{total.count > total.without_value ? cellText(total.sum, sum) : '–'}</td>
                    <td className={`${number} max-sm:hidden`}>{total.without_value.toLocaleString()}</td>
                  </>
                )}
                <td aria-hidden />
              </tr>
            );
          })}
        </tbody>
      </table>
      {count > shown.length && (
        <p className="p-3 text-xs text-ink-soft">
          The {shown.length} groups with the most rows of {count.toLocaleString()}.
        </p>
      )}
    </section>
  );
}
