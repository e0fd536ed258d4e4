import { classNames } from './class-names.ts';

/** Holds the place of what is still loading. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block animate-pulse rounded-sm bg-sunken', className)} />;
}
