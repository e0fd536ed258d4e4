import { Rocket } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';

interface ApplyCardProps {
  /** Undefined where the agent proposed a pipeline and did not ask to apply it. */
  askedName: string | undefined;
  blocking: number;
  onApply: () => void;
}

/** The person's turn: to apply what is proposed, or to say what to change. */
export function ApplyCard({ askedName, blocking, onApply }: ApplyCardProps) {
  return (
    <section aria-label="Apply the pipeline?" className="rounded-md border border-warn bg-raised px-2.5 py-2 text-sm">
      <h3 className="flex items-center gap-2 font-medium">
        <Rocket aria-hidden className="size-4 shrink-0 text-warn" />
        <span className="min-w-0 wrap-anywhere">
          {askedName === undefined ? 'A pipeline is proposed' : `Apply it as “${askedName}”?`}
        </span>
      </h3>
      <p className="mt-1 text-ink-soft">Apply it when it does what you want, or say what to change.</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" look="primary" onClick={onApply}>
          Apply…
        </Button>
        {blocking > 0 && (
          <span className="text-xs text-bad">
            {blocking === 1 ? 'One thing blocks it.' : `${blocking} things block it.`}
          </span>
        )}
      </div>
    </section>
  );
}
