import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { LabelledField } from './labelled-field.tsx';

interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  help?: string;
  error?: string | undefined;
  /** Uses a monospaced font. */
  code?: boolean;
}

/** A labelled multi-line text field, with help or error below. */
export function TextAreaField({ label, help, error, code = false, className, ...rest }: TextAreaFieldProps) {
  return (
    <LabelledField label={label} help={help} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          spellCheck={!code}
          className={classNames(
            'w-full min-w-0 resize-y rounded-md border border-line-strong bg-raised px-2.5 py-2 text-ink placeholder:text-ink-faint aria-invalid:border-bad',
            code ? 'font-mono text-xs leading-5' : 'text-base',
            className,
          )}
          {...rest}
        />
      )}
    </LabelledField>
  );
}
