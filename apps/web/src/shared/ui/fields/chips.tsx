import type { ReactNode } from 'react';

interface ChipsProps {
  legend: string;
  note?: string;
  error?: string | undefined;
  children: ReactNode;
}

/** A group of `Chip`s with a legend. */
export function Chips({ legend, note, error, children }: ChipsProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-1.5 empty:hidden">{children}</div>
      {note !== undefined && <p className="text-xs text-ink-faint">{note}</p>}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}

interface ChipProps {
  checked: boolean;
  onChange: () => void;
  children: ReactNode;
}

/** One of several values that can be chosen together. */
export function Chip({ checked, onChange, children }: ChipProps) {
  return (
    <label className="inline-flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft">
      <input type="checkbox" checked={checked} onChange={onChange} className="accent-accent" />
      {children}
    </label>
  );
}

/** The values with this one, or without it if it is among them. */
export const withToggled = <Value,>(values: readonly Value[], value: Value): Value[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
