import { Plus } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { isRecord } from '../../shared/http/json-value.ts';
import { labelOf, type JsonSchema, type FieldShape } from '../../shared/values/field-shape.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormConflict } from './form-conflict.tsx';
import { useForm } from './form-context.tsx';
import { columnsOf, emptyValue, filledValue, formShape, type FormShape } from './form-schema.ts';
import { FormTable } from './form-table.tsx';
import { JsonField } from './json-field.tsx';
import { focusRow, RowMenu } from './row-menu.tsx';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { GroundingBadge } from '../../shared/values/grounding-badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { CheckedControl } from './checked-control.tsx';
import { useFormField } from './use-form-field.ts';
import { joinPath } from '../../shared/values/value-path.ts';

interface FormNodeProps {
  path: string;
  label: string;
  schema: JsonSchema;
  value: unknown;
  level?: number;
  /** Buttons beside the heading of a group. */
  actions?: ReactNode;
}

/** One place of the schema with everything below it. */
function FormNode({ path, label, schema, value, level = 0, actions }: FormNodeProps) {
  const { root } = useForm();
  const shape = formShape(schema, root);
  if (shape.kind === 'scalar' && (value === null || typeof value !== 'object')) {
    return <FormField path={path} label={label} shape={shape.shape} value={value ?? null} />;
  }
  if (shape.kind === 'object' && (isRecord(value) || value === null || value === undefined)) {
    return (
      <FormGroup
        path={path}
        label={label}
        schema={schema}
        nullable={shape.nullable}
        empty={!isRecord(value)}
        level={level}
        actions={actions}
      >
        {isRecord(value) && (
          <FormProperties properties={shape.properties} path={path} value={value} level={level + 1} />
        )}
      </FormGroup>
    );
  }
  if (shape.kind === 'list' && (Array.isArray(value) || value === null || value === undefined)) {
    return (
      <FormGroup
        path={path}
        label={label}
        schema={schema}
        nullable={shape.nullable}
        empty={!Array.isArray(value)}
        count={Array.isArray(value) ? value.length : undefined}
        level={level}
        actions={actions}
      >
        {Array.isArray(value) && <FormList path={path} label={label} item={shape.item} items={value} level={level} />}
      </FormGroup>
    );
  }
  return <JsonField path={path} label={label} value={value} />;
}

interface FormPropertiesProps {
  properties: Extract<FormShape, { kind: 'object' }>['properties'];
  path: string;
  value: Record<string, unknown>;
  level?: number;
}

export function FormProperties({ properties, path, value, level = 0 }: FormPropertiesProps) {
  return properties.map(([key, schema]) => (
    <FormNode
      key={key}
      path={joinPath(path, key)}
      label={labelOf(key)}
      schema={schema}
      value={value[key]}
      level={level}
    />
  ));
}

const headings = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

interface FormGroupProps {
  path: string;
  label: string;
  schema: JsonSchema;
  nullable: boolean;
  /** There is no value yet; the user can fill it in. */
  empty: boolean;
  count?: number | undefined;
  level: number;
  actions: ReactNode;
  children: ReactNode;
}

function FormGroup({ path, label, schema, nullable, empty, count, level, actions, children }: FormGroupProps) {
  const { root, problems, conflicts, disabled, set } = useForm();
  const Heading = headings[Math.min(level, headings.length - 1)]!;
  const problem = problems.get(path);
  return (
    <section aria-label={label} className="border-b border-line last:border-b-0">
      <div className="flex h-8 items-center gap-2 bg-canvas pr-3 pl-4">
        <Heading className="mr-auto flex min-w-0 items-baseline gap-2 text-xs font-semibold text-ink-soft">
          {label}
          {count !== undefined && <span className="font-normal text-ink-faint">{count}</span>}
        </Heading>
        {!disabled && (empty || nullable) && (
          <Button
            size="small"
            look="quiet"
            className="text-xs"
            onClick={() => set(path, empty ? filledValue(schema, root) : null)}
          >
            {empty ? 'Fill in' : 'Clear'}
          </Button>
        )}
        {actions}
      </div>
      {empty && <p className="px-4 py-2 text-sm text-ink-faint">Not given</p>}
      {problem !== undefined && <p className="px-4 py-1 text-xs text-bad">{problem}</p>}
      {conflicts.has(path) && (
        <div className="px-4 pb-2">
          <FormConflict path={path} />
        </div>
      )}
      <div className={level > 0 ? 'ml-3 border-l border-line' : undefined}>{children}</div>
    </section>
  );
}

interface FormListProps {
  path: string;
  label: string;
  item: JsonSchema;
  items: unknown[];
  level: number;
}

function FormList({ path, label, item, items, level }: FormListProps) {
  const { root, disabled, set } = useForm();
  const shape = formShape(item, root);
  const columns = columnsOf(item, root);
  const flat = shape.kind === 'object' && columns.length === shape.properties.length && columns.length > 0;
  const add = () => {
    const row = shape.kind === 'object' ? filledValue(item, root) : emptyValue(item, root);
    // Rendered at once, so that the first typed letters go into the new row.
    flushSync(() => set(path, [...items, row]));
    focusRow(path, items.length);
  };
  return (
    <>
      {flat && items.every(isRecord) ? (
        <FormTable path={path} label={label} columns={columns.map(([key, , each]) => [key, each])} items={items} />
      ) : (
        items.map((each, index) => {
          const row = { path: joinPath(path, index), label: String(index + 1), schema: item, value: each };
          const actions = <RowMenu path={path} items={items} index={index} label={label} />;
          if (shape.kind === 'object' || shape.kind === 'list') {
            return <FormNode key={index} {...row} level={level + 1} actions={actions} />;
          }
          return (
            <div key={index} className="flex items-start border-b border-line last:border-b-0">
              <div className="min-w-0 flex-1">
                <FormNode {...row} level={level + 1} />
              </div>
              <div className="shrink-0 py-2 pr-3">{actions}</div>
            </div>
          );
        })
      )}
      {!disabled && (
        <div className="px-3 py-1.5">
          <Button size="small" look="quiet" onClick={add}>
            <Plus aria-hidden className="size-4" /> Add a row
          </Button>
        </div>
      )}
    </>
  );
}

interface FormFieldProps {
  path: string;
  label: string;
  shape: FieldShape;
  value: unknown;
}

/** One field: its label, its place on the page, its control and its problem. */
function FormField({ path, label, shape, value }: FormFieldProps) {
  const id = useId();
  const { grounding } = useForm();
  const { hover, follow, showOnPage } = useFieldFocus();
  const { place, problem, conflicting, changed, selected, pointed } = useFormField<HTMLDivElement>(path, value);
  const fieldGrounding = grounding[path];
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
          fieldGrounding &&
          (fieldGrounding.match === 'none' ? (
            <GroundingBadge grounding={fieldGrounding} />
          ) : (
            <button type="button" onClick={() => showOnPage(path)} className="rounded-sm hover:underline">
              <span className="sr-only">Show {label} on the page: </span>
              <GroundingBadge grounding={fieldGrounding} />
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
