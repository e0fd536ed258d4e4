import type { AskRows, Citation } from '@docwright/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { citedRowsQuery, readCitedRowsAsCsv, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { labelOfName } from '../../../shared/formats/capitalize.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { saveFile } from '../../../shared/formats/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { scrolledByKeys } from '../../../shared/ui/scroll-box.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { citationLabel, citedValueLabel } from './source-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';

type Row = AskRows['rows'][number];

interface RowsTableProps {
  place: ChatPlace;
  threadId: string;
  question: number;
  citation: Citation;
  onShow: (row: Row, cell: Row['cells'][number]) => void;
  onClose: () => void;
}

/** The query behind a citation as a table: each document with its values. A value opens its place. */
export function RowsTable({ place, threadId, question, citation, onShow, onClose }: RowsTableProps) {
  const cited = { threadId, question, id: citation.id };
  const list = useInfiniteQuery(citedRowsQuery(place, cited));
  const exporting = useChange(() => readCitedRowsAsCsv(place, cited), {
    onDone: (file) => saveFile('rows.csv', file),
    showsError: true,
  });
  const pages = list.data?.pages;
  const columns = pages?.[0]?.columns ?? [];
  return (
    <section aria-label="Rows" className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 text-sm">
        <h3 className="min-w-0 truncate font-medium">{citationLabel(citation)}</h3>
        {pages?.[0] && <span className="shrink-0 text-ink-soft">{counted(pages[0].total_count, 'row')}</span>}
        <Button
          size="small"
          className="ml-auto shrink-0"
          disabled={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          <Download aria-hidden className="size-3.5" /> CSV
        </Button>
        <IconButton label="Close the rows" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton className="m-3 h-32" />}
      {pages && (
        <div {...scrolledByKeys} className="min-h-0 flex-1 overflow-auto">
          <table aria-label="Rows behind the answer" className="w-full text-sm">
            <thead className="sticky top-0 bg-surface">
              <tr className="text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium">
                <th scope="col">Document</th>
                {columns.map((path) => (
                  <th key={path} scope="col">
                    {labelOfName(path.split('.').join(' '))}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {pages
                .flatMap(({ rows }) => rows)
                .map((row) => (
                  <RowLine key={row.document_id} row={row} columns={columns} onShow={onShow} />
                ))}
            </tbody>
          </table>
          {list.hasNextPage && (
            <Button
              size="small"
              className="m-3"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function RowLine({ row, columns, onShow }: { row: Row; columns: readonly string[] } & Pick<RowsTableProps, 'onShow'>) {
  const [first] = row.cells;
  return (
    <tr className="[&>td]:border-b [&>td]:border-line [&>td]:px-3 [&>td]:py-1.5">
      <td className="max-w-60 truncate">
        <button
          type="button"
          className={`${textLinkClass} max-w-full truncate`}
          onClick={() => first && onShow(row, first)}
        >
          {row.document_name}
        </button>
      </td>
      {columns.map((path) => {
        const cell = row.cells.find((each) => each.path === path);
        return (
          <td key={path} className={typeof cell?.value === 'number' ? 'tabular-nums' : undefined}>
            {cell === undefined ? '–' : citedValueLabel(cell)}
          </td>
        );
      })}
    </tr>
  );
}
