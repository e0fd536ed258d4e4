import type { ReviewItem } from '@docwright/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { requestJson } from '../../shared/http/http.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { parseValue } from '../../shared/values/field-value.ts';
import { checkMessages, pathLabel } from '../../shared/values/review-labels.ts';
import { resultWith } from './result-with.ts';
import type { GroupValues } from './use-group-values.ts';
import type { DecidedValue } from './queue/use-review.ts';
import { selectOnMount } from '../../shared/ui/browser/focus-on-mount.ts';

interface ValueEditorProps {
  item: ReviewItem;
  values: GroupValues;
  /** Decisions about the document so far, the latest first. */
  decided: readonly DecidedValue[];
  /** The initial text; the caller changes the key to set another. */
  start: string;
  /** What was typed before the page was loaded again. */
  kept: string | null | undefined;
  onSave: (value: string | number | boolean | null) => void;
  onCancel: () => void;
  /** Keeps the typed text over a reload of the page. */
  onText: (text: string) => void;
  /** Whether closing the editor would lose what was typed. */
  onTyped: (isTyped: boolean) => void;
}

/** Edits a value in place and checks it as the user types: Enter saves and continues, Escape cancels. */
export function ValueEditor(props: ValueEditorProps) {
  const { item, values, decided, start, kept, onSave, onCancel, onText, onTyped } = props;
  const [text, showText] = useState(kept ?? start);
  const setText = (typed: string) => {
    showText(typed);
    onText(typed);
  };
  const isTyped = text !== start;
  useEffect(() => {
    onTyped(isTyped);
    return () => onTyped(false);
  }, [isTyped, onTyped]);
  const shape = values.shapeAt(item);
  const parsed = parseValue(text, shape);
  const failing = useLiveChecks({ item, values, decided, value: parsed.ok ? parsed.value : undefined });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.ok) onSave(parsed.value);
  };
  const options = shape.type === 'boolean' ? [true, false] : shape.options;
  // A date field of a browser would not show a text that is not a date.
  const [isDay] = useState(shape.format === 'date' && /^(\d{4}-\d{2}-\d{2})?$/u.test(start));
  const shared = {
    ref: selectOnMount,
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
          // Enter in a select does not submit a form.
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

/** Time after the last key. */
const debounceMs = 150;

interface LiveChecks {
  item: ReviewItem;
  values: GroupValues;
  /** Decisions about the document so far, the latest first. */
  decided: readonly DecidedValue[];
  /** Undefined while the typed text is invalid. */
  value: string | number | boolean | null | undefined;
}

/** The messages of the checks that the typed value would fail; undefined until the server has answered. */
function useLiveChecks({ item, values, decided, value }: LiveChecks): readonly string[] | undefined {
  const { orgId } = useSession();
  const { extraction, schemaRevid, hasChecks } = values;
  const { document_id, path } = item;
  const answer = useQuery({
    queryKey: ['review', orgId, 'checks', document_id, extraction?.version, decided.length, path, value],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, debounceMs));
      signal.throwIfAborted();
      const data = resultWith(extraction?.result, decided, path, value);
      return await requestJson(`/v0/orgs/${orgId}/schemas/${schemaRevid ?? ''}/validate`, {
        method: 'POST',
        body: { data },
        signal,
      });
    },
    enabled: hasChecks && value !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  }).data;
  return answer && checkMessages(path, answer.failed_checks);
}

/** Shows the failing checks of the schema; “Checks pass” only if one failed before. */
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
