import { useId } from 'react';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import type { FieldShape } from '../../shared/values/field-shape.ts';
import { GroundingBadge } from '../../shared/values/grounding-badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { CheckedControl } from './checked-control.tsx';
import { useForm } from './form-context.tsx';
import { useFormField } from './use-form-field.ts';

interface FormFieldProps {
  path: string;
  label: string;
  shape: FieldShape;
  value: unknown;
}

/** One field: its name, where it stands on the page, its control, and what is wrong with it. */
export function FormField({ path, label, shape, value }: FormFieldProps) {
  const id = useId();
  const { grounding } = useForm();
  const { hover, follow, showOnPage } = useFieldFocus();
  const { place, problem, conflicting, changed, selected, pointed } = useFormField<HTMLDivElement>(path, value);
  const known = grounding[path];
  return (
    <div
      ref={place}
      role="presentation"
      onPointerEnter={() => hover(path)}
      onPointerLeave={() => hover(undefined)}
      className={classNames(
        'relative grid grid-cols-[minmax(6rem,34%)_minmax(0,1fr)] items-start gap-x-3 border-b border-line px-4 py-1.5 last:border-b-0',
        selected && 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
        !selected && pointed && 'bg-hover',
      )}
    >
      <div className="min-w-0 pt-1.5">
        <label htmlFor={id} className="block text-sm wrap-anywhere text-ink-soft" title={shape.description}>
          {label}
        </label>
        {changed ? (
          <span className="text-xs text-accent">Changed</span>
        ) : (
          known &&
          (known.match === 'none' ? (
            <GroundingBadge grounding={known} />
          ) : (
            <button type="button" onClick={() => showOnPage(path)} className="rounded-sm hover:underline">
              <span className="sr-only">Show {label} on the page: </span>
              <GroundingBadge grounding={known} />
            </button>
          ))
        )}
      </div>
      <div className="min-w-0">
        <CheckedControl {...{ id, path, shape, value, problem, conflicting }} onFocus={follow} />
      </div>
    </div>
  );
}
