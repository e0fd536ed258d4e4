import type { Extraction, ReviewItem, ReviewReason } from '@docwright/contract';
import { Check, ChevronRight, Pencil } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { formatValue, wrapClass } from '../../shared/values/field-value.ts';
import { pathLabel, reasonLabels, riskLabel } from '../../shared/values/review-labels.ts';
import { scalarOf, type GroupValues } from './use-group-values.ts';
import type { DecidedValue } from './queue/use-review.ts';
import { counted } from '../../shared/formats/counted.ts';
import { valueAt } from '../../shared/values/value-path.ts';

interface ValueRowProps {
  item: ReviewItem;
  values: GroupValues;
  isShown: boolean;
  /** Why the value is worth a look, in a sentence. */
  explanation: string;
  onShow: () => void;
  children: ReactNode;
}

/** An open value with its reasons; the current one also has an explanation and the actions. */
export function ValueRow({ item, values, isShown, explanation, onShow, children }: ValueRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const { path, risk, reasons } = item;
  const chips = [...new Set(reasons.flatMap((reason) => chipsOf(reason, item)))];
  return (
    <li
      ref={row}
      aria-current={isShown ? 'true' : undefined}
      className={classNames(
        'border-b border-line px-3 py-2',
        isShown && 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <button
        type="button"
        data-review
        onClick={onShow}
        className="grid w-full grid-cols-[minmax(6rem,30%)_minmax(0,1fr)_auto] gap-x-2 text-left"
      >
        <span className="row-span-2 text-sm text-ink-soft">{pathLabel(path)}</span>
        <span className={classNames('leading-6', wrapClass(values.textOf(item)), isShown && 'text-lg font-semibold')}>
          {values.textOf(item) || <span className="text-ink-faint">Not given</span>}
        </span>
        <span className="text-sm text-ink-soft tabular-nums" title="Chance that it is wrong">
          {riskLabel(risk)}
        </span>
        {chips.length > 0 && (
          <span className="col-span-2 col-start-2 mt-1 flex flex-wrap gap-1">
            {chips.map((words) => (
              <span
                key={words}
                className={classNames(
                  'rounded-sm px-1.5 text-xs',
                  words === reasonLabels.agrees_with_embedded ? 'bg-good-soft text-good' : 'bg-warn-soft text-warn',
                )}
              >
                {words}
              </span>
            ))}
          </span>
        )}
        {isShown && explanation !== '' && <span className="col-span-3 mt-1 text-sm text-ink-soft">{explanation}</span>}
      </button>
      {children}
    </li>
  );
}

/** The message of a failed check takes the place of the general label. */
function chipsOf(reason: ReviewReason, { failed_checks = [], grounding }: ReviewItem): string[] {
  if (reason === 'check_failed' && failed_checks.length > 0) return failed_checks;
  const { places = 1 } = grounding ?? {};
  return reason === 'ambiguous_place' && places > 1 ? [`found in ${places} places`] : [reasonLabels[reason]];
}

/** The values of the document that the user has decided; a click opens one again. */
export function DecidedRows({
  decided,
  values,
  onReopen,
}: {
  decided: readonly DecidedValue[];
  values: GroupValues;
  onReopen: (decided: DecidedValue) => void;
}) {
  if (decided.length === 0) return null;
  return (
    <>
      <h3 className="border-b border-line bg-sunken px-3 py-1 text-sm font-semibold">
        Decided <span className="font-normal text-ink-soft">{decided.length}</span>
      </h3>
      <ul>
        {decided.map((each) => (
          <DecidedRow key={each.item.path} decided={each} values={values} onReopen={() => onReopen(each)} />
        ))}
      </ul>
    </>
  );
}

function DecidedRow({
  decided,
  values,
  onReopen,
}: {
  decided: DecidedValue;
  values: GroupValues;
  onReopen: () => void;
}) {
  const { item, action, value } = decided;
  const { path } = item;
  const before = values.textOf(item);
  const after = Array.isArray(value)
    ? counted(value.length, 'row')
    : formatValue({ value: scalarOf(value), path, shape: values.shapeAt(item) });
  const Mark = action === 'confirm' ? Check : Pencil;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        title="Open it again"
        onClick={onReopen}
        className="grid w-full grid-cols-[minmax(6rem,30%)_minmax(0,1fr)_auto] gap-x-2 px-3 py-1.5 text-left text-sm hover:bg-hover"
      >
        <span className="text-ink-soft">{pathLabel(path)}</span>
        <span className="wrap-anywhere">
          {action !== 'confirm' && before !== '' && <s className="mr-1.5 text-ink-faint">{before}</s>}
          {(action === 'confirm' ? before : after) || <span className="text-ink-faint">Not given</span>}
        </span>
        <Mark
          aria-label={action === 'confirm' ? 'Confirmed' : 'Corrected'}
          className={classNames('size-4', action === 'confirm' ? 'text-good' : 'text-accent')}
        />
      </button>
    </li>
  );
}

interface FoldedRowsProps {
  title: string;
  /** Said at the end of the line. */
  note: ReactNode;
  paths: readonly string[];
  review: NonNullable<Extraction['review']>;
  result: unknown;
  values: GroupValues;
  /** Called when the user opens the rows. */
  onOpen?: () => void;
  onShow: (path: string) => void;
}

/** Values that need no decision, in one line that opens them. A click shows the place of a value. */
export function FoldedRows({ title, note, paths, review, result, values, onOpen, onShow }: FoldedRowsProps) {
  if (paths.length === 0) return null;
  return (
    <details className="group/folded" onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary className="flex cursor-pointer list-none items-center gap-1.5 border-b border-line bg-sunken px-3 py-1 text-sm">
        <ChevronRight aria-hidden className="size-4 shrink-0 group-open/folded:rotate-90" />
        <strong className="font-semibold">{title}</strong>
        <span className="ml-auto text-xs text-ink-soft">{note}</span>
      </summary>
      <ul>
        {paths.map((path) => {
          const item = { path, value: valueAt(result, path) as ReviewItem['value'] };
          return (
            <li key={path} className="border-b border-line">
              <button
                type="button"
                onClick={() => onShow(path)}
                className="grid w-full grid-cols-[minmax(6rem,30%)_minmax(0,1fr)_auto] gap-x-2 px-3 py-1.5 text-left text-sm hover:bg-hover"
              >
                <span className="text-ink-soft">{pathLabel(path)}</span>
                <span className="wrap-anywhere">
                  {values.textOf(item) || <span className="text-ink-faint">Not given</span>}
                </span>
                <span className="whitespace-nowrap text-ink-soft tabular-nums">
                  {riskLabel(review[path]?.risk ?? 0)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
