import { useId } from 'react';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { labelOf, type FieldShape } from '../../shared/values/field-shape.ts';
import { groundingLabel } from '../../shared/values/grounding-labels.ts';
import { isRecord } from '../../shared/http/json-value.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { CheckedControl } from './checked-control.tsx';
import { useForm } from './form-context.tsx';
import { RowMenu } from './row-menu.tsx';
import { useFormField } from './use-form-field.ts';
import { joinPath } from '../../shared/values/value-path.ts';

interface FormTableProps {
  path: string;
  label: string;
  columns: [key: string, shape: FieldShape][];
  items: unknown[];
}

/** A table of single values: a column for each property, a control in each cell. */
export function FormTable({ path, label, columns, items }: FormTableProps) {
  if (items.length === 0) return null;
  return (
    <div className="relative overflow-x-auto pb-1">
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="text-left text-xs text-ink-faint">
            {columns.map(([key, shape]) => (
              <th
                key={key}
                title={shape.description}
                className={classNames(
                  'px-1 py-1.5 font-medium first:pl-4',
                  isNumber(shape) ? 'min-w-20 text-right' : 'min-w-32',
                )}
              >
                {labelOf(key)}
              </th>
            ))}
            <th className="w-11">
              <span className="sr-only">Row</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {columns.map(([key, shape]) => (
                <FormCell
                  key={key}
                  path={joinPath(joinPath(path, index), key)}
                  label={`${labelOf(key)}, row ${index + 1}`}
                  shape={shape}
                  value={isRecord(item) ? (item[key] ?? null) : null}
                />
              ))}
              <td className="py-0.5 pr-3 pl-1 align-top">
                <RowMenu path={path} items={items} index={index} label={label} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isNumber = ({ type, options }: FieldShape) => (type === 'number' || type === 'integer') && options === undefined;

interface FormCellProps {
  path: string;
  label: string;
  shape: FieldShape;
  value: unknown;
}

function FormCell({ path, label, shape, value }: FormCellProps) {
  const id = useId();
  const { grounding } = useForm();
  const { hover, follow } = useFieldFocus();
  const { place, problem, conflicting, changed, selected, pointed } = useFormField<HTMLTableCellElement>(path, value);
  const badge = changed ? undefined : groundingLabel(grounding[path]);
  return (
    <td
      ref={place}
      title={badge?.long}
      onPointerEnter={() => hover(path)}
      onPointerLeave={() => hover(undefined)}
      className={classNames(
        'p-0.5 align-top first:pl-3.5',
        selected && 'bg-accent-soft',
        !selected && pointed && 'bg-hover',
      )}
    >
      <CheckedControl
        {...{ id, path, label, shape, value, problem, conflicting }}
        onFocus={follow}
        className={classNames(
          'h-7 px-1.5 text-sm',
          changed && 'border-accent',
          badge?.band === 'near' && 'border-b-2 border-b-warn',
          badge?.band === 'none' && 'border-b-2 border-b-bad',
        )}
      />
    </td>
  );
}
