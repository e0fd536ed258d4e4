import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What the user can do next. */
  children?: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-2 px-6 py-10 text-center">
      <Icon aria-hidden className="mb-1 size-7 text-ink-faint" strokeWidth={1.5} />
      <h2 className="text-lg font-semibold text-balance">{title}</h2>
      {children !== undefined && <div className="text-sm text-pretty text-ink-soft">{children}</div>}
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
