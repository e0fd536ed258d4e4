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
import { differenceValue } from './evidence-labels.ts';

/** One line of what is known of an effect. */
export function EvidenceLine({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <p className={classNames('flex items-center gap-2 rounded-md bg-canvas px-2.5 py-1.5 text-sm', className)}>
      {children}
    </p>
  );
}

/** The background of that line: its colour follows what breaks. */
export const evidenceLooks = { good: 'bg-good-soft', bad: 'bg-bad-soft', warn: 'bg-warn-soft' };

/** A measurement in progress, and the way to stop it. */
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
      <progress
        aria-label="Documents measured"
        value={done + failed}
        max={total}
        className="h-1 w-full accent-[var(--accent)]"
      />
    </>
  );
}

/** The values that differ, broken first, each with what is verified, before and after. */
export function Differences({ orgId, evaluation }: { orgId: string; evaluation: Evaluation }) {
  const { data, error } = useQuery(differencesQuery(orgId, evaluation.id, evaluation.documents.done));
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

const kindTones: Partial<Record<EvaluationDifference['kind'], string>> = {
  broken: 'text-bad',
  fixed: 'text-good',
  changed: 'text-warn',
};

function DifferenceRow({ evaluationId, difference }: { evaluationId: string; difference: EvaluationDifference }) {
  const { document_id, document_name, prompt_revid, path, kind } = difference;
  return (
    <tr className="align-top [&>td]:border-t [&>td]:border-line [&>td]:px-2 [&>td]:py-1 [&>td]:wrap-anywhere">
      <td>
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          search={{ tab: 'extraction', prompt: prompt_revid, field: path, evaluation: evaluationId }}
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
