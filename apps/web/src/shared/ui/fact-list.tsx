import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Terms on the left, with what they mean for one object on the right. */
export function FactList({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm [&_dd]:wrap-anywhere [&_dt]:text-ink-soft',
        className,
      )}
    >
      {children}
    </dl>
  );
}

export function FactRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}
