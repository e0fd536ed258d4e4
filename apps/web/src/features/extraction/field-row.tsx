import { Pencil } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useExtractionView } from './extraction-view.tsx';
import { FieldEditor } from './field-editor.tsx';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { formatValue, isUnbroken, wrapClass } from '../../shared/values/field-value.ts';
import { GroundingBadge } from '../../shared/values/grounding-badge.tsx';
import type { FieldNode } from '../../shared/values/result-tree.ts';
import { RiskMark } from './risk-mark.tsx';
import { NewerValue } from './beside/verified-beside.tsx';
import { useFieldDraft } from './use-field-draft.ts';

/** One field: a click shows its place on the page, the pencil or F2 edits it. */
export function FieldRow({ field }: { field: FieldNode }) {
  const { grounding, problems, edit, newer, take } = useExtractionView();
  const { selection, hovered, select, hover } = useFieldFocus();
  const draft = useFieldDraft(field.path);
  const row = useRef<HTMLDivElement>(null);
  const isSelected = selection?.path === field.path;
  const problem = problems.get(field.path);
  const newerValue = newer?.get(field.path);
  const text = formatValue(field);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);

  return (
    <div
      ref={row}
      role="presentation"
      data-field={field.path}
      onPointerEnter={() => hover(field.path)}
      onPointerLeave={() => hover(undefined)}
      className={classNames(
        'group relative grid min-h-9 grid-cols-[minmax(6rem,34%)_minmax(0,1fr)] items-start gap-x-3 border-b border-line px-4 py-1.5 md:pr-8 last:border-b-0',
        isSelected && 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
        !isSelected && hovered === field.path && 'bg-hover',
      )}
    >
      <span className="pt-0.5 text-sm wrap-anywhere text-ink-soft" title={field.shape.description}>
        {field.label}
      </span>
      {draft.editing && edit ? (
        <FieldEditor field={field} draft={draft} onSave={(value) => edit(field.path, value)} />
      ) : (
        <div className="min-w-0">
          {/* What is never broken takes a line of its own before it runs into the marks. */}
          <div
            className={classNames(
              'flex min-w-0 items-start gap-x-2',
              isUnbroken(text) ? 'flex-wrap' : 'max-md:flex-wrap',
            )}
          >
            <button
              type="button"
              aria-label={`${field.label}: ${text || 'not given'}`}
              aria-pressed={isSelected}
              onClick={() => select(field.path)}
              onDoubleClick={edit && draft.start}
              onKeyDown={(event) => {
                if (event.key === 'F2' && edit) draft.start();
                if (isTakeKey(event) && newerValue !== undefined) take?.(field.path);
              }}
              className={classNames(
                'max-w-full min-w-0 rounded-sm py-px text-left wrap-anywhere',
                isUnbroken(text) ? 'flex-auto' : 'flex-1 max-md:flex-auto',
              )}
            >
              {field.value === null ? (
                <span className="text-ink-faint">Not given</span>
              ) : (
                <span className={wrapClass(text)}>{text}</span>
              )}
            </button>
            <span className="relative ml-auto flex h-5.5 shrink-0 items-center gap-1">
              {edit && (
                <IconButton
                  label={`Edit ${field.label}`}
                  hint="F2"
                  onClick={draft.start}
                  className="size-6! md:absolute md:-top-0.5 md:left-full md:ml-1 md:opacity-0 md:group-hover:opacity-100 md:focus-visible:opacity-100"
                >
                  <Pencil className="size-3.5" />
                </IconButton>
              )}
              <RiskMark path={field.path} />
              <GroundingBadge grounding={grounding[field.path]} />
            </span>
          </div>
          <NewerValue value={newerValue} onTake={take && (() => take(field.path))} />
          {problem !== undefined && <p className="text-xs wrap-anywhere text-warn">{problem}</p>}
        </div>
      )}
    </div>
  );
}

/** `T` without a modifier. */
export const isTakeKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 't' && !altKey && !ctrlKey && !metaKey;
