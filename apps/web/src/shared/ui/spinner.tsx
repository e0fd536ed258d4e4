import { LoaderCircle } from 'lucide-react';
import { classNames } from './class-names.ts';

/** Loading indicator; needs a label unless the text beside it explains it. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label === undefined ? undefined : 'status'} className="inline-flex">
      <LoaderCircle aria-hidden className={classNames('size-4 animate-spin', className)} />
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}

/** Fills the place of what is loading. */
export function CenteredSpinner({ label, className = 'flex-1' }: { label: string; className?: string }) {
  return (
    <div className={classNames('flex items-center justify-center text-ink-faint', className)}>
      <Spinner label={label} className="size-5" />
    </div>
  );
}
