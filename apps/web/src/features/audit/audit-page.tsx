import type { AuditEntry } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download, ScrollText, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import type { AuditSearch } from '../../shared/addresses/audit-search.ts';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { auditListQuery, auditToolsQuery, undoEntry, type AuditFilter } from '../../shared/api/audit-api.ts';
import { useAskedUndo } from '../../shared/api/use-asked-undo.ts';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { membersQuery } from '../../shared/api/account/members-api.ts';
import { formatMoment, fullMoment } from '../../shared/formats/format-document.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { indentJson } from '../../shared/http/json-value.ts';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { eventLabel, originLabels, toolChoices, toolLabel } from './audit-labels.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';

const route = getRouteApi('/audit');
/** `Choice` needs a non-empty value. */
const any = 'any';

/** The audit log: who did what, when, through which channel, and how it was decided. */
export function AuditPage() {
  const { orgId, organization } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const toast = useToast();
  const nameOf = useMemberName();
  const members = useQuery(membersQuery(orgId)).data?.members ?? [];
  const tools = useQuery(auditToolsQuery(orgId)).data?.tools ?? [];
  const [opened, setOpened] = useState<AuditEntry>();
  const { page = 1, ...rest } = search;
  const filter: AuditFilter = { actor: rest.actor, origin: rest.origin, tool: rest.tool, document_id: rest.document };
  const list = useQuery(auditListQuery(orgId, filter, (page - 1) * pageSize, pageSize));
  const isAdmin = organization.role === 'admin';
  const change = (next: AuditSearch) => void navigate({ search: next });
  const saving = useMutation({
    mutationFn: async () => (await import('./audit-csv.ts')).saveAuditCsv(orgId, filter, nameOf),
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  return (
    <Page
      title="Audit"
      note={isAdmin ? 'Everything that was proposed, decided, written and undone.' : 'What was done in your name.'}
      actions={
        <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
          <Download aria-hidden className="size-4" /> {saving.isPending ? 'Saving…' : 'Save as CSV'}
        </Button>
      }
    >
      <PagedList
        noun="entries"
        page={page}
        onPage={(next) => change({ ...rest, page: next })}
        filtered={Object.keys(rest).length > 0}
        filter={
          <div className="flex flex-wrap items-center gap-2">
            {isAdmin && (
              <Choice
                label="User"
                className="h-8 max-w-52"
                value={rest.actor ?? any}
                options={[
                  { value: any, label: 'All users' },
                  ...members.map(({ user_id, name }) => ({ value: user_id, label: name })),
                ]}
                onChange={(actor) => {
                  const { actor: _actor, ...others } = rest;
                  change(actor === any ? others : { ...others, actor });
                }}
              />
            )}
            <Choice
              label="Through"
              className="h-8"
              value={rest.origin ?? any}
              options={[
                { value: any, label: 'Any channel' },
                ...Object.entries(originLabels).map(([value, label]) => ({ value, label })),
              ]}
              onChange={(origin) => {
                const { origin: _origin, ...others } = rest;
                change(origin === any ? others : { ...others, origin: origin as NonNullable<AuditSearch['origin']> });
              }}
            />
            <Choice
              label="Tool"
              className="h-8 max-w-52"
              value={rest.tool ?? any}
              options={[{ value: any, label: 'Any tool' }, ...toolChoices(tools, rest.tool)]}
              onChange={(tool) => {
                const { tool: _tool, ...others } = rest;
                change(tool === any ? others : { ...others, tool });
              }}
            />
            {rest.document !== undefined && (
              <Button
                size="small"
                onClick={() => {
                  const { document: _document, ...others } = rest;
                  change(others);
                }}
              >
                <DocumentName documentId={rest.document} /> <X aria-hidden className="size-3.5" />
                <span className="sr-only">Show all documents</span>
              </Button>
            )}
          </div>
        }
        onShowAll={() => change({})}
        items={list.data?.entries}
        query={list}
        columns={columnsFor(nameOf, setOpened)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={ScrollText} title="No entries yet">
            Tool calls of the agent, decisions and changes appear here.
          </EmptyState>
        }
      />
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

function DocumentName({ documentId }: { documentId: string }) {
  const { orgId } = useSession();
  const { data, isError } = useQuery({ ...documentQuery(orgId, documentId), staleTime: 60_000 });
  return <span className="truncate">{isError ? 'Deleted document' : (data?.document_name ?? '…')}</span>;
}

function columnsFor(nameOf: (userId: string) => string, open: (entry: AuditEntry) => void): TableColumn<AuditEntry>[] {
  return [
    {
      label: 'When',
      className: 'w-28 max-md:w-22 text-ink-soft',
      render: ({ at }) => (
        <time dateTime={at} title={fullMoment(at)}>
          {formatMoment(at)}
        </time>
      ),
    },
    { label: 'User', wideOnly: true, className: 'w-40 truncate', render: ({ actor }) => nameOf(actor) },
    {
      label: 'Through',
      wideOnly: true,
      className: 'w-36 truncate text-ink-soft',
      render: ({ origin }) => originLabels[origin.kind],
    },
    {
      label: 'Action',
      render: (entry) => (
        <button type="button" onClick={() => open(entry)} className={classNames(rowLinkClass, 'w-full text-left')}>
          {toolLabel(entry)}
        </button>
      ),
    },
    {
      label: 'Document',
      wideOnly: true,
      className: 'relative z-1 w-52 truncate',
      render: ({ document_id: documentId }) =>
        documentId === undefined ? (
          '–'
        ) : (
          <Link to="/documents/$documentId" params={{ documentId }} className={`${textLinkClass} block truncate`}>
            <DocumentName documentId={documentId} />
          </Link>
        ),
    },
    {
      label: 'Event',
      className: 'w-44 max-md:w-24',
      render: (entry) => <span className={entry.success === false ? 'text-bad' : undefined}>{eventLabel(entry)}</span>,
    },
  ];
}

function isUndoable({ tool, kind, decision, origin, success }: AuditEntry): boolean {
  if (tool === 'accept_proposal' || tool === 'reject_proposal') {
    return kind === 'executed' || (kind === 'decided' && decision !== undefined);
  }
  // Extractions on arrival are undone with their run.
  const isSingle = origin.kind === 'api' || (origin.kind === 'arrival' && tool !== 'run_extraction');
  return isSingle && success === true && kind !== 'undone';
}

/** An entry in full: its arguments, and Undo for a single write. */
function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const nameOf = useMemberName();
  const [asking, setAsking] = useState(false);
  const undo = useAskedUndo();
  const canUndo = canWrite && isUndoable(entry);
  if (asking) {
    return (
      <ConfirmDialog
        title={`Undo “${toolLabel(entry)}”?`}
        description="The earlier state comes back, unless it was changed since."
        action="Undo"
        run={async () => {
          await undo((body) => undoEntry(orgId, entry.id, body));
          toast('Undone.');
          await queryClient.invalidateQueries();
          onClose();
        }}
        onClose={() => setAsking(false)}
      />
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`${toolLabel(entry)} · ${eventLabel(entry)}`}>
      <p className="text-sm text-ink-soft">
        {nameOf(entry.actor)} · {originLabels[entry.origin.kind]} · {fullMoment(entry.at)}
      </p>
      {entry.error !== undefined && <p className="text-sm text-bad wrap-anywhere">{entry.error}</p>}
      <ScrollBox label="Arguments">
        <pre className="p-2 text-xs whitespace-pre-wrap wrap-anywhere">{indentJson(entry.arguments)}</pre>
      </ScrollBox>
      {canUndo && (
        <Button className="self-start" onClick={() => setAsking(true)}>
          <Undo2 aria-hidden className="size-4" /> Undo…
        </Button>
      )}
    </Dialog>
  );
}
