import { useId, type ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { inputClass } from './text-field.tsx';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A labelled select, with help or error below. */
export function SelectField({ label, help, error, options, onChange, className, ...rest }: SelectFieldProps) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        className={inputClass}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {note !== undefined && (
        <p id={`${id}-note`} className={classNames('text-xs', error === undefined ? 'text-ink-faint' : 'text-bad')}>
          {note}
        </p>
      )}
    </div>
  );
}
