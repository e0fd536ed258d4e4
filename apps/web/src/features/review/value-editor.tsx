import type { ReviewItem } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { readExtraction } from '../../shared/api/extractions-api.ts';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { itemSchema, propertySchema, shapeOf, type JsonSchema } from '../../shared/values/field-shape.ts';
import { editableValue, parseValue } from '../../shared/values/field-value.ts';
import { pathLabel } from '../../shared/values/review-labels.ts';

interface ValueEditorProps {
  item: ReviewItem;
  onSave: (value: string | number | boolean | null) => void;
  onCancel: () => void;
}

/** Edits a value in its place, checked as it is typed: Enter saves and goes on, Escape cancels. */
export function ValueEditor({ item, onSave, onCancel }: ValueEditorProps) {
  const { orgId } = useSession();
  const { document_id, prompt_revid, path } = item;
  const extraction = useQuery({
    queryKey: ['review', orgId, 'extraction', document_id, prompt_revid],
    queryFn: () => readExtraction(orgId, document_id, prompt_revid),
    staleTime: Infinity,
  });
  const schemaRevid = extraction.data?.schema_revid;
  const schema = useQuery({ ...schemaQuery(orgId, schemaRevid ?? ''), enabled: schemaRevid !== undefined });
  const value = typeof item.value === 'object' ? null : item.value;
  const shape = shapeOf(schemaAt(schema.data?.response_format.json_schema.schema, path), value);
  const [text, setText] = useState(editableValue(value));
  const parsed = parseValue(text, shape);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.ok) onSave(parsed.value);
  };
  return (
    <form onSubmit={save} className="mt-2 flex flex-col gap-2">
      <input
        ref={focusOnce}
        aria-label={pathLabel(path)}
        aria-invalid={!parsed.ok}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
        className={inputClass}
      />
      {!parsed.ok && (
        <p role="alert" className="text-sm text-bad">
          {parsed.message}
        </p>
      )}
      <span className="flex gap-2">
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

function schemaAt(schema: JsonSchema | undefined, path: string): JsonSchema | undefined {
  return path
    .split('.')
    .reduce<JsonSchema | undefined>(
      (at, part) => (/^\d+$/u.test(part) ? itemSchema(at) : propertySchema(at, part)),
      schema,
    );
}

function focusOnce(element: HTMLInputElement | null) {
  element?.focus();
  element?.select();
}
