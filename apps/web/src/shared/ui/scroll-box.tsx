import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Makes a scrollable element focusable: not every browser does so by itself. */
export const scrolledByKeys = { tabIndex: 0 };

/** A box that scrolls long content, also by keyboard. */
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
