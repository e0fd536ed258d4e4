import type { ExtractedPiece, ExtractionEvent } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { documentPath } from '../../shared/api/documents-api.ts';
import { stopExtraction } from '../../shared/api/extractions-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { followEvents } from '../../shared/http/follow-events.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { resultTree } from '../../shared/values/result-tree.ts';
import { piecesSoFar } from './running/pieces-so-far.ts';
import { ResultList } from './result-list.tsx';

interface RunningExtractionProps {
  documentId: string;
  promptRevid: string;
  /** Whether to show the values read so far; set while there is no earlier result. */
  showsValues?: boolean;
}

/** The progress of an extraction with Stop; of a long document the values appear piece by piece. */
export function RunningExtraction({ documentId, promptRevid, showsValues = false }: RunningExtractionProps) {
  const { orgId, canWrite } = useSession();
  const { progress, pieces } = useProgress(orgId, documentId, promptRevid);
  const stopping = useMutation({ mutationFn: () => stopExtraction(orgId, documentId, promptRevid) });
  const tree = useMemo(() => resultTree(piecesSoFar(pieces), undefined), [pieces]);
  if (!progress) return null;
  const { pieces_done, pieces_total } = progress;
  return (
    <section aria-label="Extraction in progress" className="px-4 py-3">
      <div className="flex items-center gap-3 text-sm">
        <output className="flex-1">
          {pieces_total > 1 ? `Extracting: ${pieces_done} of ${pieces_total} parts` : 'Extracting'}
        </output>
        {canWrite && (
          <Button size="small" disabled={stopping.isPending || stopping.isSuccess} onClick={() => stopping.mutate()}>
            Stop
          </Button>
        )}
      </div>
      {pieces_total > 1 && (
        <progress aria-label="Parts read" className="mt-2 h-1.5 w-full" max={pieces_total} value={pieces_done} />
      )}
      {stopping.isError && <Notice tone="bad">{messageOf(stopping.error)}</Notice>}
      {showsValues && pieces.length > 0 && <ResultList nodes={tree} />}
    </section>
  );
}

type Progress = Extract<ExtractionEvent, { type: 'progress' }>;

function useProgress(orgId: string, documentId: string, promptRevid: string) {
  const [progress, setProgress] = useState<Progress>();
  const [pieces, setPieces] = useState<ExtractedPiece[]>([]);
  useEffect(
    () =>
      followEvents({
        path: `${documentPath(orgId, documentId)}/extractions/${promptRevid}/events`,
        types: ['progress', 'end'],
        onOpen: () => setPieces([]),
        onEvent: (data) => {
          const event = JSON.parse(data) as ExtractionEvent;
          if (event.type === 'end') setProgress(undefined);
          else {
            setProgress(event);
            setPieces((known) => withPieces(known, event.pieces));
          }
        },
        onRejected: () => setProgress(undefined),
        retryAfterMs: 2_000,
      }),
    [orgId, documentId, promptRevid],
  );
  return { progress, pieces };
}

/** Adds pieces that are not known yet: a resumed connection sends all of them again. */
function withPieces(known: readonly ExtractedPiece[], more: readonly ExtractedPiece[]): ExtractedPiece[] {
  const isKnown = (piece: ExtractedPiece) => known.some(({ from, to }) => from === piece.from && to === piece.to);
  return [...known, ...more.filter((piece) => !isKnown(piece))];
}
