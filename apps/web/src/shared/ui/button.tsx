import { useState, type ComponentProps, type FocusEvent, type MouseEvent } from 'react';
import { classNames } from './class-names.ts';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger' | 'good';
type Size = 'small' | 'medium';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'text-ink-soft hover:bg-hover hover:text-ink',
  good: 'border border-transparent bg-good-soft text-good',
  danger: 'border border-line bg-raised text-bad hover:bg-bad-soft',
};
const sizes: Record<Size, string> = {
  small: 'h-7 gap-1.5 px-2 text-sm',
  medium: 'h-8 gap-1.5 px-3 text-base',
};
const base =
  'inline-flex items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50';

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: Size;
}

export function Button({ look = 'secondary', size = 'medium', className, type = 'button', ...rest }: ButtonProps) {
  const props = useKeptFocus(rest);
  return <button type={type} className={classNames(base, looks[look], sizes[size], className)} {...props} />;
}

/**
 * The props of a button that keeps the focus when it is disabled, as by its own click while that works: the browser takes the
 * focus from a disabled element, and keys would go to the page. Until the focus leaves, such a button does nothing.
 */
export function useKeptFocus(props: ComponentProps<'button'>): ComponentProps<'button'> {
  const [hasFocus, setHasFocus] = useState(false);
  const { disabled, onClick, onFocus, onBlur } = props;
  const isKept = disabled === true && hasFocus;
  return {
    ...props,
    ...(isKept && { disabled: false, 'aria-disabled': true }),
    onClick: isKept ? (event: MouseEvent) => event.preventDefault() : onClick,
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setHasFocus(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setHasFocus(false);
      onBlur?.(event);
    },
  };
}

/** Classes that make a link look like a button. */
export const linkButtonClass = (look: Look, size: Size = 'medium') => classNames(base, looks[look], sizes[size]);
