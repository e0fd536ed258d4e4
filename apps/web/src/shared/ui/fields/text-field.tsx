import { useId, type ComponentProps } from 'react';
import { classNames } from '../class-names.ts';

export const inputClass =
  'h-8 w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 text-base text-ink placeholder:text-ink-faint disabled:opacity-60 aria-invalid:border-bad';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
}

/** A labelled text field, with help or error below. */
export function TextField({ label, help, error, className, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={inputClass}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        {...rest}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={classNames('text-xs', error === undefined ? 'text-ink-faint' : 'text-bad')}>
          {note}
        </p>
      )}
    </div>
  );
}
