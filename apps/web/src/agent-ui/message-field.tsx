import type { ComponentPropsWithRef } from 'react';
import { classNames } from '../shared/ui/class-names.ts';

/** Around a message that is being written and what stands beside it. */
export const messageBoxClass =
  'rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent';

interface MessageFieldProps extends Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange'> {
  draft: string;
  onDraft: (draft: string) => void;
  /** Enter; with Shift it begins a new line. */
  onEnter: () => void;
}

/** A message that grows with its text. */
export function MessageField({ draft, onDraft, onEnter, className, ...rest }: MessageFieldProps) {
  return (
    <textarea
      {...rest}
      value={draft}
      onChange={(event) => onDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
      className={classNames(
        'resize-none bg-transparent px-3 outline-none [field-sizing:content] placeholder:text-ink-faint',
        className,
      )}
    />
  );
}
