import type { Document } from '@docwright/contract';
import { Spinner } from '../ui/spinner.tsx';
import { classNames } from '../ui/class-names.ts';
import { Tip } from '../ui/tip.tsx';
import { stateLabel, type StateLabel } from '../formats/document-state-labels.ts';

const dots: Record<StateLabel['tone'], string> = {
  busy: '',
  neutral: 'bg-ink-faint',
  waiting: 'bg-accent',
  good: 'bg-good',
  bad: 'bg-bad',
};

interface DocumentStateBadgeProps {
  document: Pick<Document, 'state' | 'state_error' | 'ocr' | 'auto_create'>;
  /** The mark alone where there is little room. */
  compact?: boolean;
}

/** State in words with a mark; a failure tells its reason on hover and focus. */
export function DocumentStateBadge({ document, compact = false }: DocumentStateBadgeProps) {
  const { label, tone } = stateLabel(document);
  const badge = (
    <span className="flex items-center gap-1.5 text-sm whitespace-nowrap">
      {tone === 'busy' ? (
        <Spinner className="size-3 text-accent" />
      ) : (
        <span aria-hidden className={`size-2 rounded-full ${dots[tone]}`} />
      )}
      <span className={classNames(tone === 'bad' ? 'text-bad' : 'text-ink-soft', compact && 'max-md:sr-only')}>
        {label}
      </span>
    </span>
  );
  if (!document.state_error) return badge;
  return (
    <Tip text={document.state_error.message}>
      <button type="button" className="rounded-sm underline decoration-dotted underline-offset-3">
        {badge}
        <span className="sr-only">: {document.state_error.message}</span>
      </button>
    </Tip>
  );
}
