import { BadgeCheck, SquareDashedMousePointer, Check, Eraser, Pencil, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { formatValue } from '../../shared/values/field-value.ts';
import { pathLabel } from '../../shared/values/review-labels.ts';
import { ReviewFilterMenu } from './review-filter.tsx';
import { schemaAt, valueIn } from './table-draft.ts';
import { TableEditor } from './table-editor.tsx';
import type { Desk } from './use-desk.ts';
import { scalarOf } from './use-group-values.ts';
import type { ReviewFilter, useReview } from './use-review.ts';
import { ValueEditor } from './value-editor.tsx';
import { DecidedRows, ValueRow } from './value-rows.tsx';

interface ReviewPanelProps {
  review: ReturnType<typeof useReview>;
  desk: Desk;
  filter: ReviewFilter;
  onFilter: (filter: ReviewFilter) => void;
}

/** Beside the page: how far the review is, the open values of the document, and what can be done with the current one. */
export function ReviewPanel({ review, desk, filter, onFilter }: ReviewPanelProps) {
  const { done, left, documents, problem, isWhole } = review;
  const { items, item, open, canWrite, actions } = desk;
  const count = isWhole ? items.length : `${items.length}+`;
  return (
    <section
      aria-label="Values to check"
      className="flex min-h-0 flex-1 flex-col bg-surface lg:w-120 lg:flex-none lg:border-r lg:border-line"
    >
      <Progress done={done} left={left} documents={documents}>
        <ReviewFilterMenu filter={filter} onFilter={onFilter} />
      </Progress>
      {item && (
        <header className="flex items-center gap-2 border-b border-line px-3 py-2">
          <h2 className="min-w-0 truncate font-semibold">{item.document_name}</h2>
          <span className="ml-auto shrink-0 text-sm text-ink-soft">{count} to check</span>
        </header>
      )}
      {item && desk.values.extraction?.is_complete === false && (
        <p className="border-b border-line bg-warn-soft px-3 py-1.5 text-sm text-warn">
          The result is incomplete. Its Extraction tab says what is missing.
        </p>
      )}
      {!item && <p className="flex-1 px-3 py-4 text-sm text-ink-soft">No value to check matches the filter.</p>}
      {item && open?.kind === 'table' ? (
        <TableEditor
          key={`${item.document_id} ${open.path}`}
          path={open.path}
          list={valueIn(desk.values.extraction?.result, open.path)}
          schema={schemaAt(desk.values.schema, open.path)}
          from={open.from}
          picked={open.picked}
          onFocusValue={desk.setCellPath}
          onSave={desk.saveTable}
          onClose={desk.close}
        />
      ) : (
        item && <Values review={review} desk={desk} />
      )}
      {problem !== undefined && <Told tone="warn">{problem}</Told>}
      {desk.pickProblem !== undefined && <Told tone="warn">{desk.pickProblem}</Told>}
      {open?.kind === 'verify' && (
        <Told tone="accent">{count} values are not checked. Press v again to verify the document all the same.</Told>
      )}
      {desk.isPicking && (
        <Told tone="accent">
          Draw a box on the page. By keyboard: arrow keys go from word to word, Shift takes more, Enter uses them, Esc
          ends.
        </Told>
      )}
      {item && open?.kind !== 'table' && (
        <>
          {canWrite && !open && <ThumbActions desk={desk} />}
          <footer className="flex items-center gap-1.5 border-t border-line px-3 py-2 text-sm text-ink-soft">
            {canWrite && (
              <Button onClick={actions.byKey['v']} size="small">
                <BadgeCheck aria-hidden className="size-4" />
                Verify <KeyCap name="v" />
              </Button>
            )}
            {canWrite && <PageActions actions={actions} />}
            <span className="ml-auto whitespace-nowrap max-lg:hidden">
              Keys <KeyCap name="?" />
            </span>
          </footer>
        </>
      )}
    </section>
  );
}

function Values({ review, desk }: Pick<ReviewPanelProps, 'review' | 'desk'>) {
  const { items, at, open, values, canWrite } = desk;
  // The first words are the right ones: a day would change its look when the schema comes.
  if (values.isPending) return <Skeleton className="m-3 h-40 flex-none" />;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <ul>
        {items.map((each, index) => (
          <ValueRow
            key={each.path}
            item={each}
            values={values}
            isShown={index === at}
            onShow={() => desk.moveTo(index)}
          >
            {index === at &&
              (open?.kind === 'editor' ? (
                <ValueEditor
                  key={open.ordinal}
                  label={pathLabel(each.path)}
                  shape={values.shapeAt(each)}
                  start={open.start}
                  onSave={desk.saveValue}
                  onCancel={desk.close}
                />
              ) : (
                canWrite && <ValueActions desk={desk} />
              ))}
          </ValueRow>
        ))}
      </ul>
      <DecidedRows decided={review.decidedHere} values={values} onReopen={desk.reopen} />
    </div>
  );
}

/** Below the current value; on a phone the first three are at the thumb. */
function ValueActions({ desk }: { desk: Desk }) {
  const { byKey } = desk.actions;
  const { item, secondValue } = desk;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 max-lg:empty:hidden">
      <span className="flex gap-2 max-lg:hidden">
        <MainActions desk={desk} />
      </span>
      {byKey['u'] && item && (
        <Button data-review size="small" look="quiet" onClick={byKey['u']}>
          Use{' '}
          {formatValue({ value: scalarOf(secondValue), path: item.path, shape: desk.values.shapeAt(item) }) ||
            'nothing'}{' '}
          <KeyCap name="u" />
        </Button>
      )}
    </div>
  );
}

function MainActions({ desk }: { desk: Desk }) {
  const { byKey } = desk.actions;
  return (
    <>
      <Button data-review look="primary" onClick={byKey['enter']}>
        <Check aria-hidden className="size-4" />
        Confirm <KeyCap name="Enter" />
      </Button>
      <Button data-review onClick={byKey['e']}>
        <Pencil aria-hidden className="size-4" />
        Edit <KeyCap name="e" />
      </Button>
      <Button data-review onClick={byKey['x']}>
        <Eraser aria-hidden className="size-4" />
        Clear <KeyCap name="x" />
      </Button>
    </>
  );
}

function PageActions({ actions: { byKey } }: Pick<Desk, 'actions'>) {
  return (
    <>
      <Button size="small" look="quiet" onClick={byKey['b']}>
        <SquareDashedMousePointer aria-hidden className="size-4" />
        From page <KeyCap name="b" />
      </Button>
      {byKey['t'] && (
        <Button size="small" look="quiet" onClick={byKey['t']}>
          <Table2 aria-hidden className="size-4" />
          Rows <KeyCap name="t" />
        </Button>
      )}
    </>
  );
}

function ThumbActions({ desk }: { desk: Desk }) {
  return (
    <div className="flex gap-2 border-t border-line px-3 pt-2 *:h-12 *:flex-1 lg:hidden">
      <MainActions desk={desk} />
    </div>
  );
}

const tones = { warn: 'bg-warn-soft text-warn', accent: 'bg-accent-soft' };

function Told({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return (
    <p role="alert" className={`border-t border-line px-3 py-2 text-sm ${tones[tone]}`}>
      {children}
    </p>
  );
}

interface ProgressProps {
  done: number;
  left: number;
  documents: number;
  children: ReactNode;
}

function Progress({ done, left, documents, children }: ProgressProps) {
  const total = done + left;
  return (
    <div className="border-b border-line px-3 py-2 text-sm">
      <div className="flex items-center gap-2">
        <p className="mr-auto">
          <strong>{done.toLocaleString()}</strong> of {total.toLocaleString()} values ·{' '}
          {documents === 1 ? '1 document' : `${documents.toLocaleString()} documents`} left
        </p>
        {children}
      </div>
      <progress
        aria-label="Values checked"
        value={done}
        max={Math.max(total, 1)}
        className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
