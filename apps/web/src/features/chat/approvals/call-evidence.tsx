import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, FlaskConical, Play, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { Evaluation, EvaluationDifference } from '@docwright/contract';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import {
  callEvidenceQuery,
  differencesQuery,
  isMeasuring,
  measureCall,
  stopEvaluation,
} from '../../../shared/api/evaluations-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ScrollBox } from '../../../shared/ui/scroll-box.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { differenceValue, effectWords, evidenceTone } from '../../../shared/evaluation/evidence-labels.ts';

interface CallEvidenceProps {
  place: ChatPlace;
  turnId: string;
  card: ToolCard;
  /** The evaluation that an approval can stand on; undefined while there is none. */
  onEvidence: (evaluationId: string | undefined) => void;
}

/** What a call would do to verified results: one line whose colour follows what breaks, and the values behind it. */
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

  const holds = evidence?.evaluation?.state === 'completed' && evidence.stale !== true;
  const holding = holds ? evidence.evaluation?.id : undefined;
  const tell = useEffectEvent(onEvidence);
  useEffect(() => tell(holding), [holding]);

  const canMeasure =
    evidence !== undefined &&
    evidence.verified_documents > 0 &&
    !measuring.isPending &&
    (evidence.evaluation === undefined || (!isMeasuring(evidence) && !holds));
  useMeasureKey(canMeasure, card.id, () => measuring.mutate());
  if (!evidence) return null;
  const { evaluation } = evidence;
  return (
    <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
      {evaluation === undefined ? (
        <Line>
          <FlaskConical aria-hidden className="size-4 shrink-0" />
          {evidence.verified_documents === 0
            ? 'Nothing to measure against yet: no result of this prompt is verified.'
            : `Not measured. ${documents(evidence.verified_documents)}.`}
        </Line>
      ) : isMeasuring(evidence) ? (
        <Running evaluation={evaluation} onStop={() => stopping.mutate(evaluation.id)} />
      ) : (
        <Measured place={place} evaluation={evaluation} isStale={evidence.stale === true} />
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

const documents = (count: number): string => `${count} verified ${count === 1 ? 'document' : 'documents'}`;

function Line({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <p className={classNames('flex items-center gap-2 rounded-md bg-canvas px-2.5 py-1.5 text-sm', className)}>
      {children}
    </p>
  );
}

function Running({ evaluation, onStop }: { evaluation: Evaluation; onStop: () => void }) {
  const { total, done, failed } = evaluation.documents;
  const { fixed, broken } = evaluation.totals;
  return (
    <>
      <Line>
        <Spinner />
        <span className="grow">
          {done + failed} of {total} documents: {fixed} fixed, {broken} broken
        </span>
        <Button look="quiet" size="small" onClick={onStop}>
          Stop
        </Button>
      </Line>
      <progress
        aria-label="Documents measured"
        value={done + failed}
        max={total}
        className="h-1 w-full accent-[var(--accent)]"
      />
    </>
  );
}

const tones = { good: 'bg-good-soft', bad: 'bg-bad-soft', warn: 'bg-warn-soft' };

function Measured({ place, evaluation, isStale }: { place: ChatPlace; evaluation: Evaluation; isStale: boolean }) {
  const [open, setOpen] = useState(false);
  const words = effectWords(evaluation);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={classNames(
          'flex items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm font-medium',
          tones[isStale ? 'warn' : evidenceTone(evaluation)],
        )}
      >
        {isStale ? (
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
        ) : (
          <FlaskConical aria-hidden className="size-4 shrink-0" />
        )}
        <span className="grow">
          {isStale ? (
            <>
              <s className="font-normal text-ink-soft">{words}</s> Out of date: something has changed since.
            </>
          ) : (
            words
          )}
        </span>
        <ChevronDown aria-hidden className={classNames('size-4 transition-transform', open && 'rotate-180')} />
      </button>
      {open && <Differences place={place} evaluation={evaluation} />}
    </>
  );
}

function Differences({ place, evaluation }: { place: ChatPlace; evaluation: Evaluation }) {
  const { data, error } = useQuery(differencesQuery(place.orgId, evaluation.id, evaluation.documents.done));
  if (error) return <Notice tone="bad">{messageOf(error)}</Notice>;
  if (!data) return <Spinner label="Loading the differences" className="text-ink-faint" />;
  if (data.total_count === 0) return <p className="text-sm text-ink-soft">No value changes.</p>;
  return (
    <ScrollBox label="Values that differ">
      <table className="w-full text-sm">
        <caption className="px-2 py-1 text-left text-xs text-ink-soft">
          {data.total_count} of {evaluation.totals.values} values differ
          {data.total_count > data.differences.length && `, the first ${data.differences.length} are shown`}
        </caption>
        <thead>
          <tr className="text-left text-xs text-ink-soft [&>th]:px-2 [&>th]:py-1 [&>th]:font-medium">
            <th>Document</th>
            <th>Field</th>
            <th>Verified</th>
            <th>Before</th>
            <th>After</th>
            <th>Kind</th>
          </tr>
        </thead>
        <tbody>
          {data.differences.map((difference) => (
            <DifferenceRow key={`${difference.document_id} ${difference.kind} ${difference.path}`} {...difference} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const kindTones: Partial<Record<EvaluationDifference['kind'], string>> = {
  broken: 'text-bad',
  fixed: 'text-good',
  changed: 'text-warn',
};

function DifferenceRow(difference: EvaluationDifference) {
  const { document_id, document_name, prompt_revid, path, kind } = difference;
  return (
    <tr className="align-top [&>td]:border-t [&>td]:border-line [&>td]:px-2 [&>td]:py-1 [&>td]:wrap-anywhere">
      <td>
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          search={{ tab: 'extraction', prompt: prompt_revid, field: path }}
          className="text-accent underline underline-offset-2"
        >
          {document_name}
        </Link>
      </td>
      <td>{path}</td>
      <td>{differenceValue(difference, 'truth')}</td>
      <td>{differenceValue(difference, 'before')}</td>
      <td>{differenceValue(difference, 'after')}</td>
      <td className={kindTones[kind]}>{kind}</td>
    </tr>
  );
}

const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** M measures the card in focus, else the first that can be measured. */
function useMeasureKey(enabled: boolean, callId: string, onMeasure: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    const focused = target?.closest<HTMLElement>('[data-card]')?.dataset['card'];
    if (event.key.toLowerCase() !== 'm' || (focused !== undefined && focused !== callId)) return;
    event.preventDefault();
    onMeasure();
  });
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [enabled]);
}
