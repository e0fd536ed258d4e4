import { classNames } from './class-names.ts';

/** Placeholder while content loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block animate-pulse rounded-sm bg-sunken', className)} />;
}
