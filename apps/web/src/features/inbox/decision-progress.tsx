import { ProgressBar } from '../../shared/ui/progress-bar.tsx';

export function DecisionProgress({ done, total }: { done: number; total: number }) {
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5 text-sm">
      <span>
        Deciding: {done} of {total}
      </span>
      <ProgressBar label="Decided" value={done} max={total} />
    </div>
  );
}
