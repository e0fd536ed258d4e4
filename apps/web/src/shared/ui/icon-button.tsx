import type { ComponentProps } from 'react';
import { useKeptFocus } from './button.tsx';
import { classNames } from './class-names.ts';
import { Tip } from './tip.tsx';

interface IconButtonProps extends ComponentProps<'button'> {
  /** Accessible name, shown on hover. */
  label: string;
  /** Keyboard shortcut, shown after the label. */
  hint?: string;
}

export function IconButton({ label, hint, className, type = 'button', ...rest }: IconButtonProps) {
  const props = useKeptFocus(rest);
  return (
    <Tip text={hint === undefined ? label : `${label} (${hint})`}>
      <button
        type={type}
        aria-label={label}
        className={classNames(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors enabled:hover:bg-hover enabled:hover:text-ink disabled:cursor-not-allowed disabled:opacity-40 aria-disabled:cursor-not-allowed aria-disabled:opacity-40 data-[state=open]:bg-hover',
          className,
        )}
        {...props}
      />
    </Tip>
  );
}
