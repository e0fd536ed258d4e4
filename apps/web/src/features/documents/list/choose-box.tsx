import { useEffect, useRef } from 'react';

interface ChooseBoxProps {
  label: string;
  checked: boolean;
  /** Some documents of the page are selected, not all. */
  partly?: boolean;
  /** With `shift`, the whole range from the last selected document on. */
  onChoose: (shift: boolean) => void;
}

/** A checkbox that fills its cell, so that it is easy to hit. */
export function ChooseBox({ label, checked, partly = false, onChoose }: ChooseBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  const shift = useRef(false);
  return (
    <label className="relative flex size-11 cursor-pointer items-center justify-center max-md:size-10">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onClick={(event) => {
          shift.current = event.shiftKey;
        }}
        onKeyDown={(event) => {
          shift.current = event.shiftKey;
        }}
        onChange={() => onChoose(shift.current)}
        onMouseDown={(event) => {
          // Shift would select the text between two rows.
          if (event.shiftKey) event.preventDefault();
        }}
        className="size-4 accent-accent"
      />
    </label>
  );
}
