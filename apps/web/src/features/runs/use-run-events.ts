import type { Run, RunEvent, runDocumentList } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { followEvents } from '../../shared/http/follow-events.ts';
import { runDocumentsKey, runEventsPath, runQuery, runsKey } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';

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
      unfollow();
      void queryClient.invalidateQueries({ queryKey: documents });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'of'] });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'list'] });
    };
    const unfollow = followEvents({
      path: runEventsPath(orgId, runId),
      types: ['run', 'document', 'done'] satisfies RunEvent['type'][],
      onEvent: (data) => take(JSON.parse(data) as RunEvent),
      onRefused: () => void queryClient.invalidateQueries({ queryKey: one }),
      reopenAfterMs: 5000,
    });
    return unfollow;
  }, [orgId, runId, going, queryClient]);
}
