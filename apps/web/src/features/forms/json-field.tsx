import { parseJsonWithDigits } from '@docwright/contract';
import { useId, useState } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { valueAt } from '../../shared/values/value-path.ts';
import { FormConflict } from './form-conflict.tsx';
import { useForm } from './form-context.tsx';
import { sameValue } from './form-value.ts';
import { useFormField } from './use-form-field.ts';

interface JsonFieldProps {
  path: string;
  label: string;
  value: unknown;
}

/** Edits a value that no control fits as JSON. */
export function JsonField({ path, label, value }: JsonFieldProps) {
  const id = useId();
  const { base, disabled, set, take } = useForm();
  const { place, problem, conflicting } = useFormField<HTMLDivElement>(path, value);
  const [typed, setTyped] = useState<string>();
  // The typed text replaces the whole value: what others have written since it was begun stands nowhere in it.
  const [begun, setBegun] = useState<unknown>();
  const stored = valueAt(base, path);
  const isSaved = sameValue(parse(typed)?.value, stored);
  const isOutdated = typed !== undefined && !isSaved && !sameValue(begun, stored);
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
          if (typed === undefined || isSaved) setBegun(stored);
          setTyped(event.target.value);
          const next = parse(event.target.value);
          if (next && (isSaved || !isOutdated)) set(path, next.value);
        }}
        onBlur={() => !isInvalid && !isOutdated && setTyped(undefined)}
        className={classNames(inputClass, 'field-sizing-content h-auto max-h-64 py-1.5 font-mono text-xs')}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className="text-xs text-bad">
          {note}
        </p>
      )}
      {isOutdated && (
        <div role="alert" className="mt-1 rounded-md bg-warn-soft px-2 py-1.5 text-xs">
          <p>Someone else changed this while you typed.</p>
          <div className="mt-1 flex gap-1.5">
            <Button
              size="small"
              onClick={() => {
                take(path);
                setTyped(undefined);
              }}
            >
              Take theirs
            </Button>
            <Button
              size="small"
              disabled={isInvalid}
              onClick={() => {
                const mine = parse(typed);
                if (mine) set(path, mine.value);
                setTyped(undefined);
              }}
            >
              Keep mine
            </Button>
          </div>
        </div>
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
