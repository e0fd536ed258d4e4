import { useId, type ReactNode } from 'react';

interface CheckFieldProps {
  label: string;
  checked: boolean;
  /** Shown on hover. */
  title?: string;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  /** Explanation below the label. */
  children?: ReactNode;
}

/** A labelled checkbox. */
export function CheckField({ label, checked, title, disabled = false, onChange, children }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2" title={title}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={children === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {children !== undefined && (
          <p id={`${id}-note`} className="text-xs text-ink-faint">
            {children}
          </p>
        )}
      </div>
    </div>
  );
}
