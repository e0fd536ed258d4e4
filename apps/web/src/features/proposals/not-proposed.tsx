import type { Document } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { documentListQuery, startAutoCreate } from '../../shared/api/documents-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { counted } from '../../shared/formats/counted.ts';

const pollAfterMs = 5_000;
const maxFailedShown = 5;

/** Documents without a proposal: the number being prepared, and the newest failed ones, each with Retry. */
export function NotProposed() {
  const { orgId } = useSession();
  const running = useQuery({
    ...documentListQuery(orgId, { auto_create: 'running', skip: 0, limit: 1 }),
    refetchInterval: pollAfterMs,
  }).data;
  const failed = useQuery({
    ...documentListQuery(orgId, { auto_create: 'failed', skip: 0, limit: maxFailedShown }),
    refetchInterval: pollAfterMs,
  }).data;
  const more = (failed?.total_count ?? 0) - (failed?.documents.length ?? 0);
  return (
    <>
      {running !== undefined && running.total_count > 0 && (
        <output className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-sm">
          <Spinner className="text-accent" />
          Preparing {counted(running.total_count, 'document')}. They join a kind as soon as one fits.
        </output>
      )}
      {failed?.documents.map((document) => (
        <Failed key={document.id} document={document} />
      ))}
      {more > 0 && <p className="px-3 text-sm text-ink-soft">No proposal for {counted(more, 'document')} more.</p>}
    </>
  );
}

function Failed({ document: { id, document_name, auto_create } }: { document: Document }) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const start = useMutation({
    mutationFn: () => startAutoCreate(orgId, id),
    onError: (error) => toast(messageOf(error), 'bad'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['documents', orgId] }),
  });
  return (
    <Notice
      tone="warn"
      actions={
        canWrite && (
          <Button
            size="small"
            aria-label={`Retry ${document_name}`}
            disabled={start.isPending}
            onClick={() => start.mutate()}
          >
            Retry
          </Button>
        )
      }
    >
      <Link
        to="/documents/$documentId"
        params={{ documentId: id }}
        search={{ tab: 'agent' }}
        className="font-medium underline underline-offset-2"
      >
        {document_name}
      </Link>
      : no proposal. {auto_create?.error?.message ?? 'The run ended early.'}
    </Notice>
  );
}
