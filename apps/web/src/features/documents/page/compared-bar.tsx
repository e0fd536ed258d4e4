import type { EvaluationDifference } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { evaluationQuery } from '../../../shared/api/evaluations-api.ts';
import { differenceValue } from '../../../shared/evaluation/evidence-labels.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface ComparedBarProps {
  evaluationId: string;
  difference: EvaluationDifference;
  onClose: () => void;
}

/** Stands above a document that was opened from a measurement: the verified value, and the value before and after the change. */
export function ComparedBar({ evaluationId, difference, onClose }: ComparedBarProps) {
  const { orgId } = useSession();
  const evaluation = useQuery(evaluationQuery(orgId, evaluationId)).data;
  const { path, grounding, after_grounding } = difference;
  return (
    <section
      aria-label="Value that differs"
      className="flex shrink-0 items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-2 py-1 text-sm max-md:flex-wrap md:h-9 md:px-3"
    >
      {evaluation && (
        <Link
          to="/prompts/$promptId/try"
          params={{ promptId: evaluation.prompt_id }}
          search={{ evaluation: evaluationId }}
          className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 font-medium text-accent hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" /> Differences
        </Link>
      )}
      <span className="min-w-0 truncate font-medium">{path}</span>
      <dl className="flex min-w-0 flex-1 flex-wrap max-md:order-1 max-md:basis-full items-center gap-x-3 [&>div]:flex [&>div]:min-w-0 [&>div]:items-center [&>div]:gap-1.5 [&_dd]:truncate [&_dt]:text-ink-soft">
        <Side label="Verified" look={grounding && 'bg-mark-active ring-mark-edge'}>
          {differenceValue(difference, 'truth')}
        </Side>
        <Side label="Before">{differenceValue(difference, 'before')}</Side>
        <Side label="After" look={after_grounding && 'bg-warn-soft ring-warn'}>
          {differenceValue(difference, 'after')}
        </Side>
      </dl>
      <IconButton label="Show the document as it is" onClick={onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  );
}

/** The swatch has the colour of the value's place on the page; a value that is on no page has none. */
function Side({ label, look, children }: { label: string; look?: string | undefined; children: ReactNode }) {
  return (
    <div>
      {look !== undefined && <span aria-hidden className={classNames('size-3 shrink-0 rounded-[2px] ring-2', look)} />}
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
