import { TriangleAlert } from 'lucide-react';
import { useExtractionView } from './extraction-view.tsx';
import { checkMessages } from '../../shared/values/review-labels.ts';
import { isToCheck, whyToCheck } from './value-risk.ts';

/** Beside a value that is worth a look: why, for the eye on hover and for a screen reader at once. */
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

/** Why a value is worth a look; undefined where nothing speaks against it or somebody decided about it. */
export function useRisk(path: string): string | undefined {
  const { review = {}, failedChecks } = useExtractionView();
  const found = review[path];
  return found !== undefined && isToCheck(found) ? whyToCheck(found, checkMessages(path, failedChecks)) : undefined;
}
