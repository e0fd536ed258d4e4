import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { LabelledField } from './labelled-field.tsx';
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
  return (
    <LabelledField label={label} help={help} error={error} className={classNames('min-w-0', className)}>
      {(attributes) => (
        <select {...attributes} className={inputClass} onChange={(event) => onChange(event.target.value)} {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}
