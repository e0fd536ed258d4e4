import type { ExtractionEstimate } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { estimateExtraction, type RunOptions } from '../../shared/api/extractions-api.ts';
import { useSession } from '../../shared/session/session.tsx';

const RunDialog = lazyPart(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }));

interface Run {
  revid: string;
  replace?: RunOptions['replace'];
}

/** Runs an extraction; asks first if it takes more than one request or replaces the user's work. */
export function useConfirmedRun(
  documentId: string,
  run: (requested: Run) => void,
): { start: (requested: Run) => void; isEstimating: boolean; dialog: ReactNode } {
  const { orgId } = useSession();
  const [pendingRun, setPendingRun] = useState<Run & { estimate: ExtractionEstimate | undefined }>();
  const estimating = useMutation({
    mutationFn: ({ revid }: Run) => estimateExtraction(orgId, documentId, revid),
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
            setPendingRun(undefined);
            run({ revid: pendingRun.revid, ...(pendingRun.replace && { replace: pendingRun.replace }) });
          }}
        />
      )}
    </Suspense>
  );
  return { start: (requested) => estimating.mutate(requested), isEstimating: estimating.isPending, dialog };
}
