import type { Run, RunDocument, RunDocumentState } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { runDocumentsQuery } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { DataTable, type TableColumn } from '../../shared/ui/data-table.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import type { RunSearch } from '../../shared/addresses/run-search.ts';
import { incompleteReason } from '../../shared/formats/document-state-labels.ts';
import { documentStates, durationLabel } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

interface RunDocumentsProps {
  run: Run;
  search: RunSearch;
  onSearch: (search: RunSearch) => void;
}

const any = 'any';

/** Lists the documents of a run with state and error. */
export function RunDocuments({ run, search, onSearch }: RunDocumentsProps) {
  const { orgId } = useSession();
  const { documents: state, page = 1 } = search;
  const list = useQuery(runDocumentsQuery(orgId, run.id, { state, skip: (page - 1) * pageSize, limit: pageSize }));
  const documents = list.data?.documents;
  const options = Object.entries(documentStates).map(([value, { label }]) => ({ value, label }));
  return (
    <PageSection
      title="Documents"
      actions={
        run.total > 1 && (
          <Choice
            label="State of the documents"
            className="h-8"
            value={state ?? any}
            options={[{ value: any, label: 'All documents' }, ...options]}
            onChange={(next) => onSearch(next === any ? {} : { documents: next as RunDocumentState })}
          />
        )
      }
    >
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {documents?.length === 0 ? (
        <p className={`${panelClass} p-3 text-sm text-ink-soft`}>{emptyLabel(run, state)}</p>
      ) : (
        <div className={panelClass}>
          <DataTable
            label="Documents of the run"
            columns={columnsOf(run)}
            items={documents}
            keyOf={({ document_id }) => document_id}
          />
        </div>
      )}
      {list.data && list.data.total_count > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={list.data.total_count}
          onPage={(next) => onSearch({ ...search, page: next })}
        />
      )}
    </PageSection>
  );
}

function emptyLabel(run: Run, state: RunDocumentState | undefined): string {
  if (state !== undefined) return 'None of the documents is in this state.';
  if (run.ended_at === null) return 'Counting documents…';
  if (run.state === 'skipped') return 'None: it was skipped.';
  return run.matched === 0 ? 'None matched.' : 'None was processed.';
}

/** Opens the document with the run's conversation, or with its values if there is none. */
function DocumentLink({ run, document }: { run: Run; document: RunDocument }) {
  const { document_id, document_name, thread_id } = document;
  if (document_name === null) return <span className="text-ink-faint">Deleted document</span>;
  const search =
    thread_id === null
      ? run.action === 'auto_create'
        ? { tab: 'agent' as const }
        : {}
      : { tab: 'agent' as const, thread: thread_id };
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: document_id }}
      search={search}
      title={document_name}
      className="block max-w-full truncate rounded-sm text-base font-medium hover:underline"
    >
      {document_name}
    </Link>
  );
}

const columnsOf = (run: Run): TableColumn<RunDocument>[] => [
  {
    label: 'Document',
    render: (document) => (
      <div className="min-w-0 py-0.5">
        <DocumentLink run={run} document={document} />
        {document.error !== null && (
          <p
            className={classNames('text-xs wrap-anywhere', document.state === 'failed' ? 'text-bad' : 'text-ink-soft')}
          >
            {document.error.message}
          </p>
        )}
        {document.incomplete_results && (
          <p className="text-xs wrap-anywhere text-warn">{incompleteReason(document.incomplete_results)}</p>
        )}
      </div>
    ),
  },
  { label: 'State', className: 'w-32 max-md:w-28', render: ({ state }) => <StateMark {...documentStates[state]} /> },
  {
    label: 'Took',
    wideOnly: true,
    className: 'w-28 text-right tabular-nums text-ink-soft',
    render: ({ started_at, ended_at }) =>
      started_at === null || ended_at === null ? '–' : durationLabel(started_at, ended_at),
  },
  {
    label: 'SPU',
    wideOnly: true,
    className: 'w-16 text-right tabular-nums text-ink-soft',
    render: ({ spu_used }) => spu_used.toLocaleString(),
  },
];
