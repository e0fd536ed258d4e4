import type { ReviewItem } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { parseValue } from '../../shared/values/field-value.ts';
import { pathLabel } from '../../shared/values/review-labels.ts';
import type { GroupValues } from './use-group-values.ts';
import { useLiveChecks } from './use-live-checks.ts';
import type { Decided } from './use-review.ts';

interface ValueEditorProps {
  item: ReviewItem;
  values: GroupValues;
  /** What is decided about the document already, the latest first. */
  decided: readonly Decided[];
  /** What stands there at first; another text with another key. */
  start: string;
  onSave: (value: string | number | boolean | null) => void;
  onCancel: () => void;
}

/** Edits a value in its place, checked as it is typed: Enter saves and goes on, Escape cancels. */
export function ValueEditor({ item, values, decided, start, onSave, onCancel }: ValueEditorProps) {
  const [text, setText] = useState(start);
  const shape = values.shapeAt(item);
  const parsed = parseValue(text, shape);
  const failing = useLiveChecks({ item, values, decided, value: parsed.ok ? parsed.value : undefined });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.ok) onSave(parsed.value);
  };
  const options = shape.type === 'boolean' ? [true, false] : shape.options;
  // A browser's date field shows nothing of a text that is no date.
  const [isDay] = useState(shape.format === 'date' && /^(\d{4}-\d{2}-\d{2})?$/u.test(start));
  const shared = {
    ref: focusOnce,
    'aria-label': pathLabel(item.path),
    'aria-invalid': !parsed.ok,
    value: text,
    className: inputClass,
    onKeyDown: (event: { key: string; preventDefault: () => void }) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      onCancel();
    },
  };
  return (
    <form onSubmit={save} className="mt-2 flex flex-col gap-2">
      {options ? (
        <select
          {...shared}
          onChange={(event) => setText(event.target.value)}
          // Enter does not submit from a list of choices by itself.
          onKeyDownCapture={(event) => event.key === 'Enter' && save(event)}
        >
          {shape.nullable && <option value="">Not given</option>}
          {options.map((option) => (
            <option key={String(option)} value={String(option)}>
              {typeof option === 'boolean' ? (option ? 'Yes' : 'No') : option}
            </option>
          ))}
        </select>
      ) : (
        <input {...shared} type={isDay ? 'date' : 'text'} onChange={(event) => setText(event.target.value)} />
      )}
      {!parsed.ok && (
        <p role="alert" className="text-sm text-bad">
          {parsed.message}
        </p>
      )}
      {parsed.ok && failing && <Checks failing={failing} didFail={item.failed_checks !== undefined} />}
      <span className="flex gap-2 max-lg:*:h-11 max-lg:*:flex-1">
        <Button type="submit" look="primary" disabled={!parsed.ok}>
          Save <KeyCap name="Enter" />
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel <KeyCap name="Esc" />
        </Button>
      </span>
    </form>
  );
}

/** What the schema's checks say of the value; nothing where they hold and did before. */
function Checks({ failing, didFail }: { failing: readonly string[]; didFail: boolean }) {
  return (
    <output className="flex flex-wrap gap-1 text-xs empty:hidden">
      {failing.map((message) => (
        <span key={message} className="rounded-sm bg-warn-soft px-1.5 text-warn">
          {message}
        </span>
      ))}
      {failing.length === 0 && didFail && <span className="rounded-sm bg-good-soft px-1.5 text-good">Checks pass</span>}
    </output>
  );
}

function focusOnce(element: HTMLInputElement | HTMLSelectElement | null) {
  element?.focus();
  if (element instanceof HTMLInputElement && element.type === 'text') element.select();
}
