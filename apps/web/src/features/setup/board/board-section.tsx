import { useId, type ReactNode } from 'react';
import { panelClass } from '../../../shared/page/page.tsx';

interface BoardSectionProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the board. */
export function BoardSection({ title, note, actions, children }: BoardSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`@container ${panelClass} flex min-w-0 flex-col gap-3 p-4`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {note !== undefined && <div className="text-sm text-ink-soft">{note}</div>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
