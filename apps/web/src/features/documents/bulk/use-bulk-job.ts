import type { CreateDocumentBulkBody, DocumentBulk, DocumentBulkEvent } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { bulkPath, newestBulk, startBulk, stopBulk, undoBulk } from '../../../shared/api/bulk-api.ts';
import { useAskedUndo } from '../../../shared/api/use-asked-undo.ts';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import { followEvents } from '../../../shared/http/follow-events.ts';
import { useToast } from '../../../shared/ui/toasts.tsx';

const activeStates = new Set(['queued', 'running']);
/** Whether the server still works on the job, or on its undo. */
export const isActive = (job: DocumentBulk): boolean => activeStates.has(job.state) || job.undo?.state === 'running';

/** A job that starts so many extractions that the server wants them confirmed. */
interface AskedJob {
  body: CreateDocumentBulkBody;
  extractions: number;
  spu_estimated: number;
}

/** Runs an action on many documents as one job of the server, which continues after this page is closed and can be undone. */
export function useBulkJob(orgId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [job, setJob] = useState<DocumentBulk>();
  const [asked, setAsked] = useState<AskedJob>();
  const fail = useCallback((error: unknown) => toast(messageOf(error), 'bad'), [toast]);
  const refresh = useCallback(
    () => queryClient.invalidateQueries({ queryKey: ['documents', orgId] }),
    [queryClient, orgId],
  );

  // Shows the progress of a job that was started before this page was opened.
  useEffect(() => {
    const controller = new AbortController();
    newestBulk(orgId, controller.signal).then(
      (newest) => newest !== undefined && isActive(newest) && setJob((present) => present ?? newest),
      // Without an answer there is no progress to show; starting an action reports its own errors.
      () => undefined,
    );
    return () => controller.abort();
  }, [orgId]);

  const followed = job !== undefined && isActive(job) ? job.id : undefined;
  useEffect(() => {
    if (followed === undefined) return;
    return followEvents({
      path: `${bulkPath(orgId)}/${followed}/events`,
      types: ['bulk', 'done'],
      onEvent: (data) => {
        const event = JSON.parse(data) as DocumentBulkEvent;
        setJob(event.bulk);
        if (!isActive(event.bulk)) void refresh();
      },
      onRejected: () => undefined,
      retryAfterMs: 2000,
    });
  }, [orgId, followed, refresh]);

  const start = useCallback(
    async (body: CreateDocumentBulkBody) => {
      try {
        setJob(await startBulk(orgId, body));
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'selection_changed') {
          toast('The documents that match have changed. Check the list, then try again.', 'bad');
          await refresh();
        } else if (error instanceof ApiError && error.code === 'confirm_required') {
          setAsked({ ...(error.details as Omit<AskedJob, 'body'>), body });
        } else fail(error);
        return false;
      }
    },
    [orgId, fail, toast, refresh],
  );
  const stop = useCallback(() => {
    if (followed !== undefined) stopBulk(orgId, followed).then(setJob, fail);
  }, [orgId, followed, fail]);
  const id = job?.id;
  const askedUndo = useAskedUndo(id);
  const undo = useCallback(() => {
    if (id !== undefined) askedUndo((body) => undoBulk(orgId, id, body)).then(setJob, fail);
  }, [orgId, id, fail, askedUndo]);
  const dismiss = useCallback(() => setJob(undefined), []);
  const dropAsked = useCallback(() => setAsked(undefined), []);
  return {
    /** The active job, or the one that has just finished. */
    job,
    /** Starts a job; resolves to false if the server refused it. */
    start,
    /** The job that waits for the user's confirmation. */
    asked,
    dropAsked,
    stop,
    undo,
    dismiss,
  };
}
