import type { Run, RunEvent, runDocumentList } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { runDocumentsKey, runEventsPath, runQuery, runsKey } from '../api/runs-api.ts';
import { useSession } from '../identity/session.tsx';

const reopenAfter = 5000;

/**
 * Follows a run to its end while its page is in sight. What it tells goes into what is known of the run and of its
 * documents; after each change of the counts the documents are read again, since others may belong on the page then.
 */
export function useRunEvents(runId: string, going: boolean): void {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!going) return;
    const one = runQuery(orgId, runId).queryKey;
    const documents = runDocumentsKey(orgId, runId);
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const takeRun = (run: Run) => {
      queryClient.setQueryData(one, run);
      // Reading again may take longer than the next change: what is under way goes on.
      void queryClient.invalidateQueries({ queryKey: documents }, { cancelRefetch: false });
    };
    const take = (event: RunEvent) => {
      if (event.type === 'document') {
        queryClient.setQueriesData<z.infer<typeof runDocumentList>>({ queryKey: documents }, (list) =>
          list === undefined
            ? undefined
            : {
                ...list,
                documents: list.documents.map((each) =>
                  each.document_id === event.document.document_id ? event.document : each,
                ),
              },
        );
        return;
      }
      takeRun(event.run);
      if (event.type !== 'done') return;
      // The stream has told all: a browser would ask for it again.
      close();
      void queryClient.invalidateQueries({ queryKey: documents });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'of'] });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'list'] });
    };
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const open = () => {
      close();
      if (document.visibilityState === 'hidden') return;
      source = new EventSource(runEventsPath(orgId, runId));
      const onFrame = (event: MessageEvent<string>) => take(JSON.parse(event.data) as RunEvent);
      for (const type of ['run', 'document', 'done'] satisfies RunEvent['type'][]) {
        source.addEventListener(type, onFrame);
      }
      source.addEventListener('error', () => {
        // A broken connection is taken up again by itself; one that was refused is not.
        if (source?.readyState !== EventSource.CLOSED) return;
        void queryClient.invalidateQueries({ queryKey: one });
        timer = setTimeout(open, reopenAfter);
      });
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [orgId, runId, going, queryClient]);
}
