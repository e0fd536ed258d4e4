import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Menu, MenuChoice, MenuChoices } from '../menu.tsx';

interface ChoiceOption {
  value: string;
  label: string;
  /** Second line, less prominent. */
  note?: string;
}

interface ChoiceProps {
  /** Accessible name, without the value. */
  label: string;
  value: string;
  options: ChoiceOption[];
  onChange: (value: string) => void;
  disabled?: boolean;
  className?: string;
  icon?: ReactNode;
}

/** A menu button that selects one of a few options. */
export function Choice({ label, value, options, onChange, disabled = false, className, icon }: ChoiceProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu
      align="start"
      trigger={
        <ChoiceButton
          aria-label={`${label}: ${chosen?.label ?? 'none'}`}
          disabled={disabled}
          className={className}
          icon={icon}
        >
          {chosen?.label ?? '–'}
        </ChoiceButton>
      }
    >
      <MenuChoices value={value} onValueChange={onChange}>
        {options.map((option) => (
          <MenuChoice key={option.value} value={option.value}>
            <span className="min-w-0">
              <span className="block truncate">{option.label}</span>
              {option.note !== undefined && <span className="block text-xs text-ink-faint">{option.note}</span>}
            </span>
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}

/** The button of a menu that shows what is chosen. */
export function ChoiceButton({ icon, className, children, ...rest }: ComponentProps<'button'> & { icon?: ReactNode }) {
  return (
    <button
      type="button"
      className={classNames(
        'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...rest}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate text-left">{children}</span>
      <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
    </button>
  );
}
