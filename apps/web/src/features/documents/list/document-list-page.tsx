import { droppedFiles, maxDroppedFiles } from './dropped-files.ts';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { FileUp } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Document } from '@docwright/contract';
import { useCallback, useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { documentListQuery, documentListEventsPath, type DocumentSearch } from '../../../shared/api/documents-api.ts';
import { ClaimBanner } from '../../sign-in/index.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { AppHeader } from '../../../shared/page/app-header.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { PageKeys, type KeyHint } from '../../../shared/ui/dialogs/page-keys.tsx';
import { Pager } from '../../../shared/ui/pager.tsx';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import {
  extended,
  nothingSelected,
  refreshed,
  toggled,
  withAll,
  withoutAll,
  useMatchingCount,
} from '../bulk/selection.ts';
import {
  filterOf,
  selectionQuery,
  documentPageSize,
  sortedBy,
  listPageOf,
  sortOf,
  type DocumentListSearch,
} from '../../../shared/addresses/document-search.ts';
import { DocumentFilters, ProposedChip, proposedCountQuery, queryLabel } from './document-filters.tsx';
import { DocumentTable } from './document-table.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { EmptyList } from './empty-list.tsx';
import { FoundPlaces } from './found-places.tsx';
import { UploadButton } from './upload-button.tsx';
import { storeListSearch } from '../stored-list-search.ts';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';
import { reviewCountKey } from '../../../shared/api/arrival/review-counts-api.ts';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { isFirstTry } from '../../../shared/http/first-try.ts';
import { followEvents } from '../../../shared/http/follow-events.ts';

const route = getRouteApi('/');

const keys: KeyHint[] = [
  ['↑ ↓ Enter', 'Next or previous document, open it'],
  ['X', 'Select or deselect'],
  ['Shift ↑ ↓', 'Extend the selection'],
  ['A', 'Go to the actions on the selection'],
  ['Esc', 'Clear selection'],
];

export function DocumentListPage() {
  const { me, organization, orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Undefined until the user changes it: the organization's default.
  const [prepares, setPrepares] = useState<boolean>();
  const uploading = useUploads(orgId, prepares);
  const page = search.page ?? 1;
  const filter = filterOf(search);
  useEffect(() => storeListSearch(search), [search]);
  const query = listPageOf(search);
  const list = useQuery(documentListQuery(orgId, query));
  useDocumentListEvents(orgId, query);
  const [selection, setSelection] = useState(nothingSelected);
  const firstSteps = useFirstSteps();
  const proposed = useQuery(proposedCountQuery(orgId));
  // The parts above the table appear with it: otherwise the rows would move while the user aims at one.
  const isReady = !firstSteps.isPending && !isFirstTry(proposed);
  const documents = isReady ? list.data?.documents : undefined;
  const present = documents ? refreshed(selection, documents) : selection;
  if (present !== selection) setSelection(present);
  const choose = useCallback(
    (document: Document, range: boolean) =>
      setSelection((before) => (range ? extended(before, documents ?? [], document) : toggled(before, document))),
    [documents],
  );
  const clearSelection = () => setSelection(nothingSelected);
  const onSearch = useCallback(
    (next: DocumentListSearch) => {
      // Documents that are no longer shown are not acted on.
      setSelection(nothingSelected);
      const { q, ...rest } = next;
      void navigate({ search: q === undefined || q === '' ? rest : { ...rest, q }, replace: true });
    },
    [navigate],
  );
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const filtered = [search.q, search.state, search.tag, search.routing, search.versions].some(
    (part) => part !== undefined,
  );
  const empty = documents?.length === 0;
  // If all matches are selected, so is every row of every page.
  const chosen: ReadonlyMap<string, Document> = selection.matching
    ? new Map(documents?.map((document) => [document.id, document]))
    : selection.documents;
  const wholePage = documents?.every(({ id }) => chosen.has(id)) === true;
  const matchingCount = useMatchingCount(orgId, filter, wholePage ? list.data : undefined);

  return (
    <DropZone enabled={canWrite} onFiles={uploading.add}>
      <title>Documents · Docwright</title>
      <PageKeys keys={keys} />
      <AppHeader>
        <span className="truncate text-sm text-ink-soft">{organization.name}</span>
      </AppHeader>
      {!me.user.has_password && <ClaimBanner />}
      <main className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-6xl flex-col gap-4 p-4 md:p-6">
          <h1 className="text-xl font-semibold">Documents</h1>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <DocumentFilters search={search} total={list.data?.total_count} onChange={onSearch} />
            {canWrite && (
              <div className="flex items-center justify-between gap-3 max-sm:w-full">
                <CheckField
                  label="Prepare automatically"
                  title="The agent creates a schema and a prompt for each upload and extracts with them. You accept or reject the result."
                  checked={prepares ?? organization.auto_create_default}
                  onChange={setPrepares}
                />
                <UploadButton onFiles={uploading.add} />
              </div>
            )}
          </div>
          <ProposedChip count={proposed.data?.total_count} search={search} onChange={onSearch} />
          {documents && <FirstSteps state={firstSteps} hasDocuments={filtered || !empty} />}
          <UploadList {...uploading} />
          {list.isError && (
            <Notice
              tone="bad"
              actions={
                <Button size="small" onClick={() => void list.refetch()}>
                  Try again
                </Button>
              }
            >
              {messageOf(list.error)}
            </Notice>
          )}
          {/* Not before the parts above it are known: it would move. */}
          {isReady && (
            <div className="rounded-lg border border-line bg-surface [&_tbody>tr:last-child>td]:border-b-0">
              {empty ? (
                <EmptyList
                  filtered={filtered}
                  text={search.q}
                  canWrite={canWrite}
                  onClear={() => onSearch({})}
                  onFiles={uploading.add}
                />
              ) : (
                !list.isError && (
                  <DocumentTable
                    documents={documents}
                    sort={sortOf(search)}
                    onSort={(key) => void navigate({ search: sortedBy(search, key), replace: true })}
                    chosen={chosen}
                    onChoose={choose}
                    onChooseAll={(all) =>
                      setSelection((before) =>
                        before.matching ? nothingSelected : (all ? withAll : withoutAll)(before, documents ?? []),
                      )
                    }
                  />
                )
              )}
            </div>
          )}
          {search.q !== undefined && <FoundPlaces text={search.q} />}
          {isReady && list.data && list.data.total_count > 0 && (
            <Pager
              page={page}
              pageSize={documentPageSize}
              total={list.data.total_count}
              isMinimum={list.data.total_is_minimum}
              onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
            />
          )}
          {canWrite && (
            <Link
              to="/trash"
              className="self-end rounded-sm text-sm text-ink-soft underline underline-offset-2 hover:text-ink"
            >
              Trash
            </Link>
          )}
          <BulkBar
            selection={selection}
            shown={documents ?? []}
            allMatching={
              matchingCount === undefined ? undefined : { query: selectionQuery(search), count: matchingCount }
            }
            queryLabel={queryLabel(search, tags)}
            onSelectAll={(matching) => setSelection((before) => ({ ...before, matching }))}
            onClear={clearSelection}
          />
        </div>
      </main>
    </DropZone>
  );
}

/** Reloads a page of the list whenever the server reports a change, while the page is visible. */
function useDocumentListEvents(orgId: string, search: DocumentSearch): void {
  const queryClient = useQueryClient();
  const path = documentListEventsPath(orgId, search);
  const key = JSON.stringify(documentListQuery(orgId, search).queryKey);
  useEffect(() => {
    const reload = () => {
      void queryClient.invalidateQueries({ queryKey: JSON.parse(key) as unknown[] });
      void queryClient.invalidateQueries({ queryKey: reviewCountKey(orgId) });
    };
    return followEvents({
      path,
      types: ['changed'],
      onEvent: reload,
      onRejected: reload,
      retryAfterMs: 10_000,
    });
  }, [orgId, path, key, queryClient]);
}

interface DropZoneProps {
  enabled: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** Accepts files dropped anywhere on its children, and says so while they hover. */
function DropZone({ enabled, onFiles, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const toast = useToast();
  const take = ({ files, isCut }: Awaited<ReturnType<typeof droppedFiles>>) => {
    const most = maxDroppedFiles.toLocaleString();
    if (isCut) toast(`Only the first ${most} files are uploaded. Drop the other folders one after another.`, 'bad');
    onFiles(files);
  };
  // Enter and leave also fire for every child: the pointer has left when both happened equally often.
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <div
      role="presentation"
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!enabled || !carriesFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        if (enabled && carriesFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        end();
        if (enabled) void droppedFiles(event.dataTransfer).then(take);
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-3 z-30 flex flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-accent-soft/90">
          <FileUp aria-hidden className="size-8 text-accent" strokeWidth={1.5} />
          <p className="text-lg font-semibold">Drop files or folders to upload</p>
        </div>
      )}
    </div>
  );
}
