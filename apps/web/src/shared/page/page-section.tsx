import { useId, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface PageSectionProps {
  title: string;
  /** Line below the heading. */
  note?: ReactNode;
  /** Controls beside the heading. */
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a page, with a heading. */
export function PageSection({ title, note, actions, className = 'gap-3', children }: PageSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames('flex min-w-0 flex-col', className)}>
      <div
        className={classNames(
          'flex flex-wrap justify-between gap-2',
          note === undefined ? 'items-center' : 'items-start',
        )}
      >
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {note !== undefined && <p className="max-w-prose text-sm text-pretty text-ink-soft">{note}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
