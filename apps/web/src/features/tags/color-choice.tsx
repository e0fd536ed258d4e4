import { colorsWith } from './tag-colors.ts';

interface ColorChoiceProps {
  value: string;
  /** The colour it came with, offered even where the palette does not have it. */
  initial: string;
  onChange: (color: string) => void;
}

export function ColorChoice({ value, initial, onChange }: ColorChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1.5">
        {colorsWith(initial).map((color) => (
          <label
            key={color.value}
            title={color.name}
            className="flex size-8 cursor-pointer items-center justify-center rounded-md border-2 border-transparent hover:bg-hover has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="tag-color"
              value={color.value}
              aria-label={color.name}
              checked={value.toLowerCase() === color.value}
              onChange={() => onChange(color.value)}
              className="sr-only"
            />
            <span aria-hidden className="size-5 rounded-full" style={{ backgroundColor: color.value }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
