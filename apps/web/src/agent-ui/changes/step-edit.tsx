import { useCallback, useState, type FormEvent, type KeyboardEvent } from 'react';
import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import { Button } from '../../shared/ui/button.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';

interface StepEditProps {
  argumentsText: string;
  onCancel: () => void;
  onSave: (argumentsText: string) => void;
}

/** Edits a step's arguments: short texts as fields, the rest as JSON. The server validates them. */
export function StepEdit({ argumentsText, onCancel, onSave }: StepEditProps) {
  const parsed = parseJson(argumentsText);
  const args = isRecord(parsed) ? parsed : {};
  const [fields, setFields] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      Object.entries(args).flatMap(([name, value]) => (isShortText(value) ? [[name, value] as const] : [])),
    ),
  );
  const rest = Object.fromEntries(Object.entries(args).filter(([, value]) => !isShortText(value)));
  const [json, setJson] = useState(() => JSON.stringify(rest, null, 2));
  const other = parseJson(json);
  const isValid = isRecord(other);
  const hasRest = Object.keys(rest).length > 0;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) onSave(JSON.stringify({ ...fields, ...other }));
  };
  const focusOnce = useCallback((input: HTMLInputElement | null) => {
    input?.focus();
    input?.closest('form')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onCancel();
  };
  return (
    <form onSubmit={onSubmit} className="flex scroll-mb-20 flex-col gap-2 rounded-md bg-accent-soft p-2">
      {Object.entries(fields).map(([name, value], at) => (
        <label key={name} className="flex flex-wrap items-center gap-2 text-xs text-ink-soft">
          <span className="w-24 shrink-0">{name.replaceAll('_', ' ')}</span>
          <input
            ref={at === 0 ? focusOnce : undefined}
            onKeyDown={onKeyDown}
            value={value}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
            className={`${inputClass} h-7 min-w-0 flex-1 text-sm`}
          />
        </label>
      ))}
      {(hasRest || Object.keys(fields).length === 0) && (
        <label className="flex flex-col gap-1 text-xs text-ink-soft">
          Other arguments (JSON)
          <textarea
            rows={Math.min(12, json.split('\n').length + 1)}
            spellCheck={false}
            aria-invalid={!isValid}
            onKeyDown={onKeyDown}
            value={json}
            onChange={(event) => setJson(event.target.value)}
            className={`${inputClass} h-auto py-1 font-mono text-xs`}
          />
        </label>
      )}
      {!isValid && <p className="text-xs text-bad">This is not a JSON object.</p>}
      <div className="flex gap-2">
        <Button type="submit" size="small" disabled={!isValid}>
          Save <KeyCap name="Enter" />
        </Button>
        <Button look="quiet" size="small" onClick={onCancel}>
          Cancel <KeyCap name="Esc" />
        </Button>
      </div>
    </form>
  );
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200 && !value.includes('\n');
}
