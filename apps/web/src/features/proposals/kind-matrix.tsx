import type { Proposal, ProposedDocument } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo } from 'react';
import { incompleteReason } from '../../shared/formats/document-state-labels.ts';
import { formatAmount, formatDay, formatNumber, isAmount } from '../../shared/formats/locale.ts';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { usualValue, type ProposedValue } from './usual-value.ts';

interface KindMatrixProps {
  proposal: Proposal;
  /** Ids of the documents to decide about. */
  chosen: ReadonlySet<string>;
  canChoose: boolean;
  onChoose: (documentIds: string[], isChosen: boolean) => void;
}

/** Rendered at once; the others follow without blocking the page. */
const firstRows = 30;

/** The documents of a kind with their values, so that a wrong column is noticed. Doubtful values are tinted. */
export function KindMatrix({ proposal, chosen, canChoose, onChoose }: KindMatrixProps) {
  const { documents, fields, name, prompt_revid } = proposal;
  const ids = documents.map(({ document_id }) => document_id);
  const columns = useMemo(() => columnsOf(proposal), [proposal]);
  const rows = useDeferredValue(documents, documents.slice(0, firstRows));
  const columnWidths = columns.map(({ width }) => `${width}ch`);
  return (
    <ScrollBox label={`Documents and fields of ${name}`} className="max-h-[70vh] rounded-none border-0">
      <table
        aria-rowcount={documents.length + 1}
        className="min-w-full table-fixed border-collapse text-sm tabular-nums [--name:9rem] md:[--name:14rem]"
        style={{ width: `calc(${[canChoose ? '2rem' : '0rem', 'var(--name)', ...columnWidths, '5rem'].join(' + ')})` }}
      >
        <colgroup>
          {canChoose && <col className="w-8" />}
          <col className="w-(--name)" />
          {columns.map(({ path }, at) => (
            <col key={path} style={{ width: columnWidths[at] }} />
          ))}
          <col className="w-20" />
        </colgroup>
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="[&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:py-1.5 [&>th]:text-xs [&>th]:font-normal [&>th]:whitespace-nowrap [&>th]:text-ink-faint">
            {canChoose && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="Choose all documents"
                  className="size-4 accent-accent"
                  checked={chosen.size === ids.length}
                  onChange={(event) => onChoose(ids, event.target.checked)}
                />
              </th>
            )}
            <th scope="col" className="sticky left-0 bg-surface text-left">
              Document
            </th>
            {fields.map(({ path, title, found_in }, at) => (
              <th key={path} scope="col" className={columns[at]?.isNumeric ? 'text-right' : 'text-left'}>
                <span className="block truncate" title={title}>
                  {title}
                </span>
                <span className={found_in === documents.length ? 'text-good' : 'text-warn'}>
                  {found_in} of {documents.length}
                </span>
              </th>
            ))}
            <th scope="col" className="text-right">
              Found
            </th>
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>*]:border-b-0">
          {rows.map((document) => (
            <Row
              key={document.document_id}
              document={document}
              promptRevid={prompt_revid}
              columns={columns}
              isChosen={chosen.has(document.document_id)}
              canChoose={canChoose}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface MatrixColumn {
  path: string;
  isNumeric: boolean;
  /** In digits. It depends on all documents, so that nothing moves when more rows are rendered. */
  width: number;
  /** The value of most documents; undefined if they differ. */
  usual: ProposedValue | undefined;
}

const padding = 3;
const maxColumnWidth = 32;

function columnsOf({ documents, fields }: Proposal): MatrixColumn[] {
  return fields.map(({ path, title }) => {
    const values = documents.flatMap(({ values: own }) => own?.[path] ?? []);
    const heading = Math.max(title.length, `${documents.length} of ${documents.length}`.length) * 0.9;
    const longest = values.reduce<number>((most, value) => Math.max(most, formatCell(path, value).length), heading);
    const width = Math.min(Math.ceil(longest) + padding, maxColumnWidth);
    const isNumeric = values.some((value) => typeof value === 'number');
    return { path, isNumeric, width, usual: usualValue(values) };
  });
}

interface RowProps {
  document: ProposedDocument;
  promptRevid: string;
  columns: readonly MatrixColumn[];
  isChosen: boolean;
  canChoose: boolean;
  onChoose: KindMatrixProps['onChoose'];
}

const Row = memo(function Row({ document, promptRevid, columns, isChosen, canChoose, onChoose }: RowProps) {
  const { document_id, document_name, found, of, to_check = 0, incomplete_results } = document;
  const { values = {}, paths_to_check = [] } = document;
  return (
    <tr className="hover:bg-hover [&>*]:border-b [&>*]:border-line [&>*]:px-2 [&>*]:py-1 [&>*]:whitespace-nowrap">
      {canChoose && (
        <td>
          <input
            type="checkbox"
            aria-label={`Choose ${document_name}`}
            className="block size-4 accent-accent"
            checked={isChosen}
            onChange={(event) => onChoose([document_id], event.target.checked)}
          />
        </td>
      )}
      <th scope="row" className="sticky left-0 bg-surface text-left font-normal">
        <span className="flex items-baseline gap-1.5">
          <Link
            to="/documents/$documentId"
            params={{ documentId: document_id }}
            search={{ prompt: promptRevid }}
            className="min-w-0 truncate rounded-sm underline-offset-2 hover:underline"
            title={document_name}
          >
            {document_name}
          </Link>
          {incomplete_results && (
            <span className="shrink-0 text-xs text-warn" title={incompleteReason(incomplete_results)}>
              incomplete
            </span>
          )}
          {to_check > 0 && (
            <span className="ml-auto shrink-0 text-xs text-warn">
              {to_check}
              <span className="max-md:sr-only"> to check</span>
            </span>
          )}
        </span>
      </th>
      {columns.map(({ path, isNumeric, usual }) => {
        const value = values[path];
        const doubts = [
          ...(paths_to_check.includes(path) ? ['Worth a look'] : []),
          ...(value !== undefined && usual !== undefined && value !== usual
            ? [`Most documents have ${formatCell(path, usual)}`]
            : []),
        ].join('. ');
        return (
          <td
            key={path}
            className={classNames('truncate', isNumeric && 'text-right', doubts !== '' && 'bg-warn-soft text-warn')}
            title={[fullText(value), doubts].filter(Boolean).join('. ') || undefined}
          >
            {value === undefined ? <NotFound /> : formatCell(path, value)}
            {doubts !== '' && <span className="sr-only"> {doubts}</span>}
          </td>
        );
      })}
      <td className={classNames('text-right', found < of ? 'text-warn' : 'text-ink-faint')}>
        {found}/{of}
      </td>
    </tr>
  );
});

/** The whole text of a cell that cuts it off. */
const fullText = (value: ProposedValue | undefined) =>
  typeof value === 'string' && value.length > maxColumnWidth - padding ? value : undefined;

function NotFound() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">not found</span>
    </span>
  );
}

function formatCell(path: string, value: ProposedValue): string {
  if (typeof value === 'number') return isAmount(path) ? formatAmount(value) : formatNumber(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return formatDay(value);
}
