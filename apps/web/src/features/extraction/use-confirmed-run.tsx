import type { ExtractionEstimate } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { estimateExtraction, type RunOptions } from '../../shared/api/extractions-api.ts';
import { useSession } from '../../shared/session/session.tsx';

const RunDialog = lazyPart(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }));

export interface RequestedRun extends Pick<RunOptions, 'replace' | 'baseVersion'> {
  revid: string;
}

/** Runs an extraction; asks first if it takes more than one request or replaces the user's work. */
export function useConfirmedRun(
  documentId: string,
  run: (requested: RequestedRun) => void,
): { start: (requested: RequestedRun) => void; isEstimating: boolean; dialog: ReactNode } {
  const { orgId } = useSession();
  const [pendingRun, setPendingRun] = useState<RequestedRun & { estimate: ExtractionEstimate | undefined }>();
  const estimating = useMutation({
    mutationFn: ({ revid }: RequestedRun) => estimateExtraction(orgId, documentId, revid),
    onSettled: (found, _error, requested) => {
      // Without an estimate the run itself reports the error.
      const estimate = found !== undefined && found.requests > 1 ? found : undefined;
      if (estimate === undefined && requested.replace === undefined) run(requested);
      else setPendingRun({ ...requested, estimate });
    },
  });
  const dialog = (
    <Suspense>
      {pendingRun && (
        <RunDialog
          replaces={pendingRun.replace !== undefined}
          estimate={pendingRun.estimate}
          onClose={() => setPendingRun(undefined)}
          onRun={() => {
            const { estimate: _estimate, ...requested } = pendingRun;
            setPendingRun(undefined);
            run(requested);
          }}
        />
      )}
    </Suspense>
  );
  return { start: (requested) => estimating.mutate(requested), isEstimating: estimating.isPending, dialog };
}
