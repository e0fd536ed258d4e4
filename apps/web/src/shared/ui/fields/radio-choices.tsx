import { useId } from 'react';

interface RadioChoicesProps<Value extends string> {
  /** For screen readers. */
  legend: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One choice out of a few, side by side. */
export function RadioChoices<Value extends string>({ legend, value, options, onChange }: RadioChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="accent-accent"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
