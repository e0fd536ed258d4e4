import type { AskCoverage, Citation, Claim } from '@docwright/contract';
import { counted } from '../../../shared/formats/counted.ts';
import { labelOfName } from '../../../shared/formats/capitalize.ts';
import { formatAmount, formatDay, formatNumber } from '../../../shared/formats/locale.ts';

/** The citations of an answer in the order of their numbers, each once. */
export function citationsOf(claims: readonly Claim[]): Citation[] {
  const byId = new Map<string, Citation>();
  for (const { citations } of claims) for (const each of citations) if (!byId.has(each.id)) byId.set(each.id, each);
  return [...byId.values()];
}

/** A value as the user reads it: amounts with their currency, dates as days. */
export function citedValueLabel({ value, currency }: { value?: unknown; currency?: string | undefined }): string {
  if (typeof value === 'number')
    return currency === undefined ? formatNumber(value) : `${formatAmount(value)} ${currency}`;
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}$/u.test(value) ? formatDay(value) : value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined || value === null ? '–' : JSON.stringify(value);
}

const operations: Record<NonNullable<Citation['op']>, string> = {
  sum: 'Sum',
  count: 'Number',
  min: 'Smallest',
  max: 'Largest',
  avg: 'Average',
  distinct: 'Number of different values',
};

/** A citation in a few words, without its document. */
export function citationLabel(citation: Citation): string {
  const { kind, path = '', op } = citation;
  const field = labelOfName(path.split('.').join(' '));
  if (kind === 'passage') return `“${citedValueLabel(citation)}”`;
  if (kind === 'calculation') return `Calculated: ${citedValueLabel(citation)}`;
  if (kind === 'cell') return `${field}: ${citedValueLabel(citation)}`;
  return `${op === undefined ? 'Total' : operations[op]} of ${field.toLowerCase()}: ${citedValueLabel(citation)}`;
}

/** How many values an aggregate was computed from. */
export const rowsLabel = ({ cell_count }: Citation): string =>
  cell_count === undefined
    ? 'Show the rows'
    : cell_count === 1
      ? 'Show the row'
      : `Show the ${formatNumber(cell_count)} rows`;

/** What an answer covers, as one sentence, and what is left out of it. */
export function coverageLabel(coverage: AskCoverage): { covered: string; left: string[] } {
  const { documents, with_result, with_value, unread, hidden, at_risk, incomplete } = coverage;
  const { trashed = 0, unindexed = 0, too_large = 0 } = coverage;
  const covered = isOverResults(coverage)
    ? `${formatNumber(with_value)} of ${counted(documents, 'document')} ${with_value === 1 ? 'has' : 'have'} the field`
    : `Asked over ${counted(documents, 'document')}`;
  const left = [
    ...(isOverResults(coverage) && with_result < documents
      ? [`${formatNumber(documents - with_result)} without a result`]
      : []),
    ...(incomplete > 0 ? [`${formatNumber(incomplete)} incomplete`] : []),
    ...(at_risk > 0 ? [`${formatNumber(at_risk)} with a value to check`] : []),
    ...(unread > 0 ? [`${formatNumber(unread)} not read`] : []),
    ...(hidden > 0 ? [`${formatNumber(hidden)} hidden from models`] : []),
    ...(trashed > 0 ? [`${formatNumber(trashed)} more in the trash`] : []),
    ...(unindexed > 0 ? [`${counted(unindexed, 'result')} not indexed yet`] : []),
    ...(too_large > 0 ? [`${counted(too_large, 'prompt')} with too many results to read`] : []),
  ];
  return { covered, left };
}

/** Whether the answer used results, and not passages alone. */
const isOverResults = ({ with_result, without_value }: AskCoverage): boolean =>
  with_result > 0 || without_value.length > 0;
