import { useId, type ComponentProps } from 'react';
import { classNames } from '../class-names.ts';

interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  help?: string;
  error?: string | undefined;
  /** Uses a monospaced font. */
  code?: boolean;
}

/** A labelled multi-line text field, with help or error below. */
export function TextAreaField({ label, help, error, code = false, className, ...rest }: TextAreaFieldProps) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        spellCheck={!code}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={classNames(
          'w-full min-w-0 resize-y rounded-md border border-line-strong bg-raised px-2.5 py-2 text-ink placeholder:text-ink-faint aria-invalid:border-bad',
          code ? 'font-mono text-xs leading-5' : 'text-base',
          className,
        )}
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
