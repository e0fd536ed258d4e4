import { useId, type ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { inputClass } from './text-field.tsx';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  label: string;
  help?: string | undefined;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A labelled choice within a form. */
export function SelectField({ label, help, options, onChange, className, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        className={inputClass}
        aria-describedby={help === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p id={`${id}-note`} className="text-xs text-ink-faint">
          {help}
        </p>
      )}
    </div>
  );
}
