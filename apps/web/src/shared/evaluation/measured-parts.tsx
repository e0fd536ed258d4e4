import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Evaluation, EvaluationDifference } from '@docwright/contract';
import { differencesQuery } from '../api/evaluations-api.ts';
import { messageOf } from '../http/api-error.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Notice } from '../ui/notice.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { differenceKindLabel, differenceValue, shareOf } from './evidence-labels.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { counted } from '../formats/counted.ts';
import { textLinkClass } from '../ui/text-link.ts';

/** One line of the summary of an evaluation. */
export function EvidenceLine({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <p className={classNames('flex items-center gap-2 rounded-md bg-canvas px-2.5 py-1.5 text-sm', className)}>
      {children}
    </p>
  );
}

/** Backgrounds of `EvidenceLine` by tone. */
export const evidenceLooks = { good: 'bg-good-soft', bad: 'bg-bad-soft', warn: 'bg-warn-soft' };

/** Progress of an evaluation, with a button to stop it. */
export function RunningEvaluation({ evaluation, onStop }: { evaluation: Evaluation; onStop: () => void }) {
  const { total, done, failed } = evaluation.documents;
  const { fixed, broken } = evaluation.totals;
  return (
    <>
      <EvidenceLine>
        <Spinner />
        <span className="grow">
          {done + failed} of {total} documents: {fixed} fixed, {broken} broken
        </span>
        <Button look="quiet" size="small" onClick={onStop}>
          Stop
        </Button>
      </EvidenceLine>
      <ProgressBar label="Documents measured" value={done + failed} max={total} className="h-1 w-full" />
    </>
  );
}

/** How many documents could not be measured, and why. */
export function Unmeasured({ evaluation: { documents, failures } }: { evaluation: Evaluation }) {
  if (documents.failed === 0) return null;
  const reasons = [...new Set(failures.map(({ message }) => message))];
  const more = reasons.length > 1 ? ` And ${reasons.length - 1} other reasons.` : '';
  return (
    <Notice tone="warn">
      {counted(documents.failed, 'document')} could not be measured: {reasons[0]}
      {more}
    </Notice>
  );
}

/** What the change would do to the share of documents that are released without a look; nothing without an active policy. */
export function MeasuredRelease({ evaluation: { release } }: { evaluation: Pick<Evaluation, 'release'> }) {
  if (!release) return null;
  const { share_before, share_after } = release;
  return (
    <p className="text-sm text-ink-soft">
      Of these documents, the release policy would release {shareOf(share_after)} without a look
      {share_after === share_before ? ', as now' : ` (now ${shareOf(share_before)})`}. It starts to collect evidence
      again after the change.
    </p>
  );
}

/** Table of the values that differ, broken first: verified, before and after. */
export function Differences({ orgId, evaluation }: { orgId: string; evaluation: Evaluation }) {
  const { data, error } = useQuery(differencesQuery(orgId, evaluation.id, evaluation.documents.done));
  if (error) return <Notice tone="bad">{messageOf(error)}</Notice>;
  if (!data) return <Spinner label="Loading the differences" className="text-ink-faint" />;
  if (data.total_count === 0) return <p className="text-sm text-ink-soft">No value changes.</p>;
  return (
    <ScrollBox label="Values that differ">
      <table className="w-full text-xs sm:text-sm">
        <caption className="px-2 py-1 text-left text-xs text-ink-soft">
          {data.total_count} of {evaluation.totals.values} values differ
          {data.total_count > data.differences.length && `, the first ${data.differences.length} are shown`}
        </caption>
        <thead>
          <tr className="text-left text-xs text-ink-soft [&>th]:px-1 [&>th]:py-1 [&>th]:font-medium sm:[&>th]:px-2">
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
            <DifferenceRow
              key={`${difference.document_id} ${difference.kind} ${difference.path}`}
              evaluationId={evaluation.id}
              difference={difference}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const cellClass = 'max-w-40 sm:max-w-64';

const kindTones: Partial<Record<EvaluationDifference['kind'], string>> = {
  broken: 'text-bad',
  fixed: 'text-good',
  changed: 'text-warn',
};

/** Whether each side matches the verified value. */
const correctSides: Partial<Record<EvaluationDifference['kind'], Record<'before' | 'after', boolean>>> = {
  broken: { before: true, after: false },
  fixed: { before: false, after: true },
  changed: { before: false, after: false },
};

/** One side of a difference; a wrong value is also struck through, since colour alone is not accessible. */
function Side({ difference, side }: { difference: EvaluationDifference; side: 'before' | 'after' }) {
  const text = differenceValue(difference, side);
  const isCorrect = correctSides[difference.kind]?.[side];
  if (isCorrect === undefined) return text;
  if (isCorrect) return <span className="rounded-xs bg-good-soft px-1 text-good">{text}</span>;
  return <s className="rounded-xs bg-bad-soft px-1 text-bad">{text}</s>;
}

function DifferenceRow({ evaluationId, difference }: { evaluationId: string; difference: EvaluationDifference }) {
  const { document_id, document_name, prompt_revid, path, kind } = difference;
  return (
    <tr className="align-top [&>td]:border-t [&>td]:border-line [&>td]:px-1 [&>td]:py-1 [&>td]:wrap-break-word sm:[&>td]:px-2">
      <td className="max-w-28 sm:max-w-56">
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          search={{ tab: 'extraction', prompt: prompt_revid, field: path, evaluation: evaluationId }}
          className={textLinkClass}
        >
          {document_name}
        </Link>
      </td>
      <td className={cellClass}>{path}</td>
      <td className={cellClass}>{differenceValue(difference, 'truth')}</td>
      <td className={cellClass}>
        <Side difference={difference} side="before" />
      </td>
      <td className={cellClass}>
        <Side difference={difference} side="after" />
      </td>
      <td className={classNames('whitespace-nowrap', kindTones[kind])}>{differenceKindLabel({ kind })}</td>
    </tr>
  );
}
