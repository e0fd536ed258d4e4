import type { Document } from '@docwright/contract';
import { TriangleAlert } from 'lucide-react';
import { Spinner } from '../ui/spinner.tsx';
import { classNames } from '../ui/class-names.ts';
import { Tip } from '../ui/tip.tsx';
import { incompleteReason, readInPart, stateLabel, type StateLabel } from '../formats/document-state-labels.ts';

const dots: Record<StateLabel['tone'], string> = {
  busy: '',
  neutral: 'bg-ink-faint',
  waiting: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
};

const texts: Partial<Record<StateLabel['tone'], string>> = { bad: 'text-bad', warn: 'text-warn' };

interface DocumentStateBadgeProps {
  document: Pick<Document, 'state_error' | 'incomplete_results'> & Parameters<typeof stateLabel>[0];
  /** Shows only the dot in narrow windows. */
  compact?: boolean;
}

/** A document's state with a dot; a failure, an incomplete result or text that was read in part shows its reason on hover and focus. */
export function DocumentStateBadge({ document, compact = false }: DocumentStateBadgeProps) {
  const { state_error, incomplete_results, unread } = document;
  const { label, tone } = stateLabel(document);
  const isPartlyRead = Boolean(unread?.length) && tone !== 'busy' && label !== readInPart.label;
  const reasons = [
    state_error?.message,
    incomplete_results && incompleteReason(incomplete_results),
    isPartlyRead && `${readInPart.label}.`,
  ].filter(Boolean);
  const badge = (
    <span className="flex items-center gap-1.5 text-sm whitespace-nowrap">
      {tone === 'busy' ? (
        <Spinner className="size-3 text-accent" />
      ) : (
        <span aria-hidden className={`size-2 rounded-full ${dots[tone]}`} />
      )}
      <span className={classNames(texts[tone] ?? 'text-ink-soft', compact && 'max-md:sr-only')}>{label}</span>
      {(isPartlyRead || (incomplete_results && tone !== 'warn')) && (
        <TriangleAlert aria-hidden className="size-3.5 text-warn" />
      )}
    </span>
  );
  if (reasons.length === 0) return badge;
  const reason = reasons.join(' ');
  return (
    <Tip text={reason}>
      <button type="button" className="rounded-sm underline decoration-dotted underline-offset-3">
        {badge}
        <span className="sr-only">: {reason}</span>
      </button>
    </Tip>
  );
}
