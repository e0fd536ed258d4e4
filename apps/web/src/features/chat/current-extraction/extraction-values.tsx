import type { Grounding } from '@docwright/contract';
import { use } from 'react';
import { FieldFocusContext } from '../../../shared/values/field-focus.tsx';
import { formatValue } from '../../../shared/values/field-value.ts';
import { GroundingBadge } from '../../../shared/values/grounding-badge.tsx';
import type { FieldNode, ResultNode } from '../../../shared/values/result-tree.ts';
import { classNames } from '../../../shared/ui/class-names.ts';

interface ExtractionValuesProps {
  nodes: ResultNode[];
  grounding: Record<string, Grounding>;
  /** Paths of values that have just changed. */
  changed: ReadonlySet<string>;
  /** Called before a value is shown on the page. */
  onShow: () => void;
}

/** Read-only values, each linked to its place on the page. */
export function ExtractionValues({ nodes, ...rest }: ExtractionValuesProps) {
  return (
    <dl className="flex flex-col text-sm">
      {nodes.map((node) =>
        node.kind === 'field' ? (
          <div key={node.path} className="grid grid-cols-[minmax(5rem,34%)_minmax(0,1fr)] gap-x-3">
            <dt className="py-0.5 wrap-anywhere text-ink-soft">{node.label}</dt>
            <dd className="flex min-w-0 items-baseline gap-2">
              <Value field={node} {...rest} />
              <span className="ml-auto">
                <GroundingBadge grounding={rest.grounding[node.path]} />
              </span>
            </dd>
          </div>
        ) : (
          <div key={node.path} className="py-0.5">
            <dt className="text-xs font-semibold text-ink-soft">
              {node.label}
              {node.kind === 'table' && <span className="font-normal text-ink-faint"> {node.rows.length}</span>}
            </dt>
            <dd className="border-l border-line pl-2.5">
              {node.kind === 'group' ? (
                <ExtractionValues nodes={node.children} {...rest} />
              ) : (
                <ol>
                  {node.rows.map((row, index) => (
                    <li key={index} className="flex flex-wrap gap-x-2">
                      {row
                        .filter(({ value }) => value !== null && value !== '')
                        .map((field) => (
                          <Value key={field.path} field={field} {...rest} />
                        ))}
                    </li>
                  ))}
                </ol>
              )}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface ValueProps extends Omit<ExtractionValuesProps, 'nodes'> {
  field: FieldNode;
}

function Value({ field, grounding, changed, onShow }: ValueProps) {
  const focus = use(FieldFocusContext);
  const text = formatValue(field);
  if (text === '') return <span className="text-ink-faint">Not given</span>;
  const isNew = changed.has(field.path);
  const look = classNames(
    'min-h-6 min-w-6 rounded-sm py-0.5 text-left wrap-anywhere',
    isNew && 'bg-good-soft px-1 -mx-1',
  );
  if ((grounding[field.path]?.boxes.length ?? 0) === 0) return <span className={look}>{text}</span>;
  return (
    <button
      type="button"
      aria-label={`${field.label}: ${text}${isNew ? ', changed' : ''}. Show it on the page`}
      onClick={() => {
        onShow();
        focus?.showOnPage(field.path);
      }}
      onPointerEnter={() => focus?.hover(field.path)}
      onPointerLeave={() => focus?.hover(undefined)}
      className={classNames(look, 'hover:underline hover:decoration-line-strong hover:underline-offset-2')}
    >
      {text}
    </button>
  );
}
