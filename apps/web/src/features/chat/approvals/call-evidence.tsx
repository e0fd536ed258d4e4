import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, FlaskConical, Play, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Evaluation } from '@docwright/contract';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { focusedCard, isCardShortcut } from '../../../agent-ui/use-decision-keys.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { callEvidenceQuery, isMeasuring, measureCall, stopEvaluation } from '../../../shared/api/evaluations-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { effectLabel, evidenceTone } from '../../../shared/evaluation/evidence-labels.ts';
import {
  Differences,
  EvidenceLine,
  evidenceLooks,
  RunningEvaluation,
  MeasuredRelease,
  Unmeasured,
} from '../../../shared/evaluation/measured-parts.tsx';
import type { ShownEvidence } from './use-call-evidence.ts';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { counted } from '../../../shared/formats/counted.ts';

interface CallEvidenceProps {
  place: ChatPlace;
  turnId: string;
  card: ToolCard;
  onEvidence: (shown: ShownEvidence) => void;
}

/** The effect of a call on verified results: one line, expandable to the values that differ. */
export function CallEvidence({ place, turnId, card, onEvidence }: CallEvidenceProps) {
  const queries = useQueryClient();
  const query = callEvidenceQuery(place, turnId, card.id);
  const preview = card.proposal?.preview;
  const proposed = preview?.kind === 'difference' ? preview.evaluation : undefined;
  const { data } = useQuery({ ...query, enabled: proposed !== undefined });
  const evidence = data ?? proposed;
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const measuring = useMutation({ mutationFn: () => measureCall(place, turnId, card.id), onSettled: refresh });
  const stopping = useMutation({ mutationFn: (id: string) => stopEvaluation(place.orgId, id), onSettled: refresh });

  const isCurrent = evidence?.evaluation?.state === 'completed' && evidence.stale !== true;
  const evaluationId = isCurrent ? evidence.evaluation?.id : undefined;
  const isStale = evidence?.stale === true;
  const report = useEffectEvent(onEvidence);
  useEffect(() => report({ evaluationId, isStale }), [evaluationId, isStale]);

  const canMeasure =
    evidence !== undefined &&
    evidence.verified_documents > 0 &&
    !measuring.isPending &&
    (evidence.evaluation === undefined || (!isMeasuring(evidence) && !isCurrent));
  useMeasureKey(canMeasure, card.id, () => measuring.mutate());
  if (!evidence) return null;
  const { evaluation } = evidence;
  return (
    <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
      {evaluation === undefined ? (
        <EvidenceLine>
          {measuring.isPending ? <Spinner /> : <FlaskConical aria-hidden className="size-4 shrink-0" />}
          {measuring.isPending
            ? 'Starting to measure…'
            : evidence.verified_documents === 0
              ? 'Nothing to measure against yet: no result of this prompt is verified.'
              : `Not measured. ${counted(evidence.verified_documents, 'verified document')}.`}
        </EvidenceLine>
      ) : isMeasuring(evidence) ? (
        <RunningEvaluation evaluation={evaluation} onStop={() => stopping.mutate(evaluation.id)} />
      ) : (
        <Measured place={place} evaluation={evaluation} isStale={isStale} />
      )}
      {canMeasure && (
        <div>
          <Button size="small" onClick={() => measuring.mutate()}>
            {evaluation === undefined ? (
              <Play aria-hidden className="size-3.5" />
            ) : (
              <RotateCw aria-hidden className="size-3.5" />
            )}
            {evaluation === undefined ? 'Measure' : 'Measure again'}, about {evidence.spu_estimated} SPU
            <KeyCap name="M" />
          </Button>
        </div>
      )}
      {measuring.isError && <Notice tone="bad">{messageOf(measuring.error)}</Notice>}
    </div>
  );
}

function Measured({ place, evaluation, isStale }: { place: ChatPlace; evaluation: Evaluation; isStale: boolean }) {
  const [open, setOpen] = useState(false);
  const effect = effectLabel(evaluation);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={classNames(
          'flex items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm font-medium',
          evidenceLooks[isStale ? 'warn' : evidenceTone(evaluation)],
        )}
      >
        {isStale ? (
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
        ) : (
          <FlaskConical aria-hidden className="size-4 shrink-0" />
        )}
        <span className="grow wrap-anywhere">
          {isStale ? (
            <>
              <s className="font-normal text-ink-soft">{effect}</s> Out of date: the data has changed since. Approving
              ignores it.
            </>
          ) : (
            effect
          )}
        </span>
        <ChevronDown aria-hidden className={classNames('size-4 transition-transform', open && 'rotate-180')} />
      </button>
      <Unmeasured evaluation={evaluation} />
      <MeasuredRelease evaluation={evaluation} />
      {open && <Differences orgId={place.orgId} evaluation={evaluation} />}
    </>
  );
}

/** M measures the focused card, or without one the first that can be measured. */
function useMeasureKey(enabled: boolean, callId: string, onMeasure: () => void): void {
  useWindowKey((event) => {
    if (!isCardShortcut(event)) return;
    const focused = focusedCard(event);
    if (event.key.toLowerCase() !== 'm' || (focused !== undefined && focused !== callId)) return;
    event.preventDefault();
    onMeasure();
  }, enabled);
}
