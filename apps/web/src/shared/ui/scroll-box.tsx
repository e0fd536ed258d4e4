import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Not every browser lets the keyboard reach a scroller by itself. */
export const scrolledByKeys = { tabIndex: 0 };

/** Holds what may be longer than there is room for; the keyboard reaches and scrolls it too. */
export function ScrollBox({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      {...scrolledByKeys}
      className={classNames('max-h-72 overflow-auto rounded-md border border-line', className)}
    >
      {children}
    </section>
  );
}
