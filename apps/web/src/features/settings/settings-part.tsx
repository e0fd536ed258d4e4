import { useId, type ReactNode } from 'react';

interface SettingsPartProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the settings with a heading. */
export function SettingsPart({ title, note, actions, children }: SettingsPartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
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
