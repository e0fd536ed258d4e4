import { TriangleAlert } from 'lucide-react';
import { useExtractionView } from './extraction-view.tsx';
import { checkMessages } from '../../shared/values/review-labels.ts';
import { isToCheck, whyToCheck } from './value-risk.ts';

/** Marks a value to check and gives the reason, as a tooltip and for screen readers. */
export function RiskMark({ path }: { path: string }) {
  const why = useRisk(path);
  if (why === undefined) return null;
  return (
    <span title={why} className="inline-flex text-warn">
      <TriangleAlert aria-hidden className="size-3.5" />
      <span className="sr-only">To check. {why}</span>
    </span>
  );
}

/** Why a value should be checked; undefined if it need not be, or if a user has decided. */
export function useRisk(path: string): string | undefined {
  const { review = {}, failedChecks } = useExtractionView();
  const valueReview = review[path];
  return valueReview !== undefined && isToCheck(valueReview)
    ? whyToCheck(valueReview, checkMessages(path, failedChecks))
    : undefined;
}
