import type { ComponentProps } from 'react';
import { LabelledField } from './labelled-field.tsx';

export const inputClass =
  'h-8 w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 text-base text-ink placeholder:text-ink-faint disabled:opacity-60 aria-invalid:border-bad';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
}

/** A labelled text field, with help or error below. */
export function TextField({ label, help, error, className, ...rest }: TextFieldProps) {
  return (
    <LabelledField label={label} help={help} error={error} className={className}>
      {(attributes) => <input {...attributes} className={inputClass} {...rest} />}
    </LabelledField>
  );
}
