import { parseJsonWithDigits } from '@docwright/contract';
import { useId, useState } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { FormConflict } from './form-conflict.tsx';
import { useForm } from './form-context.tsx';
import { useFormField } from './use-form-field.ts';

interface JsonFieldProps {
  path: string;
  label: string;
  value: unknown;
}

/** Edits a value that no control fits as JSON. */
export function JsonField({ path, label, value }: JsonFieldProps) {
  const id = useId();
  const { disabled, set } = useForm();
  const { place, problem, conflicting } = useFormField<HTMLDivElement>(path, value);
  const [typed, setTyped] = useState<string>();
  const isInvalid = typed !== undefined && parse(typed) === undefined;
  const note = isInvalid ? 'This is not JSON yet.' : problem;
  return (
    <div ref={place} className="border-b border-line px-4 py-1.5 last:border-b-0">
      <label htmlFor={id} className="block text-sm text-ink-soft">
        {label} <span className="text-xs text-ink-faint">(JSON)</span>
      </label>
      <textarea
        id={id}
        data-control={path}
        rows={3}
        spellCheck={false}
        disabled={disabled}
        aria-invalid={note !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        value={typed ?? JSON.stringify(value ?? null, null, 2)}
        onChange={(event) => {
          setTyped(event.target.value);
          const next = parse(event.target.value);
          if (next) set(path, next.value);
        }}
        onBlur={() => !isInvalid && setTyped(undefined)}
        className={classNames(inputClass, 'field-sizing-content h-auto max-h-64 py-1.5 font-mono text-xs')}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className="text-xs text-bad">
          {note}
        </p>
      )}
      {conflicting && <FormConflict path={path} />}
    </div>
  );
}

function parse(text: string | undefined): { value: unknown } | undefined {
  if (text === undefined) return undefined;
  try {
    return { value: parseJsonWithDigits(text) };
  } catch {
    return undefined;
  }
}
