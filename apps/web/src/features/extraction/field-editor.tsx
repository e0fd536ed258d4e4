import { Check, X } from 'lucide-react';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { useFailureMessage } from '../../shared/page/writes/left-writes.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { editableValue, formatValue, parseValue } from '../../shared/values/field-value.ts';
import type { FieldNode } from '../../shared/values/result-tree.ts';
import type { FieldDraft } from './use-field-draft.ts';
import { selectOnMount } from '../../shared/ui/browser/focus-on-mount.ts';

interface FieldEditorProps {
  field: FieldNode;
  draft: FieldDraft;
  onSave: (value: FieldNode['value']) => Promise<void>;
}

/** Edits one value in place: Enter saves, Escape cancels. */
export function FieldEditor({ field, draft, onSave }: FieldEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const onClose = () => {
    const place = form.current?.closest('[data-field]');
    draft.finish();
    // To the value, unless the user has gone elsewhere meanwhile: the field that had the focus is gone.
    setTimeout(() => {
      if (document.activeElement === document.body) place?.querySelector('button')?.focus({ preventScroll: true });
    });
  };
  const [text, setText] = useState(draft.text ?? editableValue(field.value));
  const write = (next: string) => {
    setText(next);
    draft.store(next);
  };
  // The value at the start of the edit: someone else can change it meanwhile.
  const [before] = useState(field.value);
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const showFailure = useFailureMessage();

  const save = async () => {
    const parsed = parseValue(text, field.shape);
    if (!parsed.ok) {
      setError(parsed.message);
      return;
    }
    if (parsed.value === field.value) {
      onClose();
      return;
    }
    setSaving(true);
    try {
      await onSave(parsed.value);
      onClose();
    } catch (failure) {
      const message = messageOf(failure);
      showFailure(`${field.label} was not saved: ${message}`, () => setError(message));
      setSaving(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };

  const shared = {
    'aria-label': field.label,
    'aria-invalid': error !== undefined,
    value: text,
    disabled: saving,
    onKeyDown,
    // The user has just opened this field.
    ref: selectOnMount,
    className: `${inputClass} h-7`,
  };
  // A date field of a browser would not show a text that is not a date.
  const isDay = field.shape.format === 'date' && /^(\d{4}-\d{2}-\d{2})?$/u.test(text);
  const options = field.shape.type === 'boolean' ? [true, false] : field.shape.options;
  return (
    <form ref={form} onSubmit={onSubmit} className="min-w-0 flex-1">
      <div className="flex items-center gap-0.5">
        {options ? (
          <select {...shared} onChange={(event) => write(event.target.value)}>
            {field.shape.nullable && <option value="">Not given</option>}
            {options.map((option) => (
              <option key={String(option)} value={String(option)}>
                {typeof option === 'boolean' ? (option ? 'Yes' : 'No') : option}
              </option>
            ))}
          </select>
        ) : (
          <input {...shared} type={isDay ? 'date' : 'text'} onChange={(event) => write(event.target.value)} />
        )}
        <IconButton label="Save" hint="Enter" type="submit" disabled={saving}>
          <Check className="size-4 text-good" />
        </IconButton>
        <IconButton label="Cancel" hint="Esc" onClick={onClose}>
          <X className="size-4" />
        </IconButton>
      </div>
      {before !== field.value && (
        <p role="alert" className="mt-1 text-xs text-warn">
          Someone else changed this to “{formatValue(field) || 'not given'}”. Saving replaces it.
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {error}
        </p>
      )}
    </form>
  );
}
