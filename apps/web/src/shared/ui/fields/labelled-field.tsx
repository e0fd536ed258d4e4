import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';

interface LabelledFieldProps {
  label: string;
  help?: string | undefined;
  /** Shown instead of the help. */
  error?: string | undefined;
  className?: string | undefined;
  /** Renders the control with attributes that connect it with its label and note. */
  children: (attributes: ControlAttributes) => ReactNode;
}

interface ControlAttributes {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A control with its label above, and help or error below. */
export function LabelledField({ label, help, error, className, children }: LabelledFieldProps) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={classNames('text-xs', error === undefined ? 'text-ink-faint' : 'text-bad')}>
          {note}
        </p>
      )}
    </div>
  );
}
