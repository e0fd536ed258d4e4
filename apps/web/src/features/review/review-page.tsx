import type { ReviewItem, ReviewReason } from '@docwright/contract';
import { BadgeCheck, Check, Eraser, ListChecks, Pencil } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { PageKeys, type KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { shapeOf } from '../../shared/values/field-shape.ts';
import { formatValue } from '../../shared/values/field-value.ts';
import { pathLabel, reasonLabels, riskLabel } from '../../shared/values/review-labels.ts';
import { GroupPages } from './group-pages.tsx';
import { useReview } from './use-review.ts';
import { ValueEditor } from './value-editor.tsx';

const keys: readonly KeyHint[] = [
  ['Enter', 'Confirm the value'],
  ['e', 'Edit the value'],
  ['x', 'Clear the value'],
  ['n', 'Next value'],
  ['p', 'Previous value'],
  ['v', 'Verify the document'],
];

const typing = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** The values that are worth a look, the riskiest first: each beside its place on the page, and decided by one key. */
export function ReviewPage() {
  const { orgId, canWrite } = useSession();
  const { queue, groups, decided, problem, left, documents, decide, verify } = useReview(orgId);
  const [group, next] = groups;
  const [place, setPlace] = useState<{ key: string; at: number }>();
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState<string>();
  const items = group?.items ?? [];
  const at = Math.min(place?.key === group?.key ? (place?.at ?? 0) : 0, Math.max(0, items.length - 1));
  const item = items[at];
  const move = (to: number) => {
    if (group) setPlace({ key: group.key, at: Math.max(0, Math.min(items.length - 1, to)) });
    setEditing(false);
    setAsking(undefined);
  };
  const act = (action: 'confirm' | 'clear') => {
    setEditing(false);
    setAsking(undefined);
    if (item && canWrite) decide({ item, action });
  };
  const verifyShown = () => {
    if (!group || !canWrite) return;
    if (items.length === 0 || asking === group.key) verify(group);
    else setAsking(group.key);
  };
  const actions: Record<string, () => void> = {
    enter: () => act('confirm'),
    x: () => act('clear'),
    e: () => setEditing(item !== undefined && canWrite),
    n: () => move(at + 1),
    p: () => move(at - 1),
    v: verifyShown,
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    // A button or link that was reached by Tab does its own.
    if (event.key === 'Enter' && target?.closest('button:not([data-review]), a')) return;
    const action = actions[event.key.toLowerCase()];
    if (!action || (event.repeat && event.key !== 'n' && event.key !== 'p')) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  const done = decided.size;
  return (
    <>
      <title>Review · Docwright</title>
      <PageKeys keys={keys} />
      <AppHeader>
        <h1 className="font-semibold">Review</h1>
        <span className="truncate text-sm text-ink-soft">
          {documents === 1 ? '1 document' : `${documents.toLocaleString()} documents`} with values to check
        </span>
      </AppHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        {queue.error && <RetryNotice error={queue.error} retry={() => void queue.refetch()} />}
        {queue.isPending && <Skeleton className="m-4 h-40" />}
        {queue.data && !group && !queue.isFetching && (
          <EmptyState icon={ListChecks} title="Nothing to check">
            Values of new extractions that may be wrong appear here, the riskiest first.
          </EmptyState>
        )}
        {group && item && (
          <div className="flex min-h-0 flex-1 flex-col-reverse lg:flex-row">
            <section
              aria-label="Values to check"
              className="flex min-h-0 flex-1 flex-col bg-surface lg:w-120 lg:flex-none lg:border-r lg:border-line"
            >
              <Progress done={done} left={left} documents={documents} />
              <header className="flex items-center gap-2 border-b border-line px-3 py-2">
                <h2 className="min-w-0 truncate font-semibold">{item.document_name}</h2>
                <span className="ml-auto shrink-0 text-sm text-ink-soft">{items.length} to check</span>
              </header>
              {problem !== undefined && (
                <p role="alert" className="border-b border-line bg-warn-soft px-3 py-2 text-sm text-warn">
                  {problem}
                </p>
              )}
              {asking === group.key && (
                <p role="alert" className="border-b border-line bg-accent-soft px-3 py-2 text-sm">
                  {items.length} values are not checked. Press v again to verify the document all the same.
                </p>
              )}
              <ul className="min-h-0 flex-1 overflow-auto">
                {items.map((each, index) => (
                  <ValueRow key={each.path} item={each} isShown={index === at} onShow={() => move(index)}>
                    {index === at &&
                      (editing ? (
                        <ValueEditor
                          key={each.path}
                          item={each}
                          onSave={(value) => {
                            setEditing(false);
                            decide({ item: each, action: 'correct', value });
                          }}
                          onCancel={() => setEditing(false)}
                        />
                      ) : (
                        canWrite && <ValueActions actions={actions} />
                      ))}
                  </ValueRow>
                ))}
              </ul>
              <footer className="flex items-center gap-3 border-t border-line px-3 py-2 text-sm text-ink-soft">
                {canWrite && (
                  <Button onClick={verifyShown} size="small">
                    <BadgeCheck aria-hidden className="size-4" />
                    Verify document <KeyCap name="v" />
                  </Button>
                )}
                <span className="max-lg:hidden">
                  Next <KeyCap name="n" />
                </span>
                <span className="max-lg:hidden">
                  Previous <KeyCap name="p" />
                </span>
                <span className="ml-auto max-lg:hidden">
                  All keys <KeyCap name="?" />
                </span>
              </footer>
            </section>
            <div className="relative flex min-h-0 min-w-0 flex-1 max-lg:max-h-2/5">
              {[group, next].map(
                (each, index) =>
                  each && (
                    <GroupPages
                      key={each.key}
                      group={each}
                      path={(index === 0 ? item : each.items[0])?.path}
                      isShown={index === 0}
                      onSelect={(path) => move(items.findIndex((other) => other.path === path))}
                    />
                  ),
              )}
            </div>
          </div>
        )}
      </main>
    </>
  );
}

function Progress({ done, left, documents }: { done: number; left: number; documents: number }) {
  const total = done + left;
  return (
    <div className="border-b border-line px-3 py-2 text-sm">
      <p>
        <strong>{done.toLocaleString()}</strong> of {total.toLocaleString()} values ·{' '}
        {documents === 1 ? '1 document' : `${documents.toLocaleString()} documents`} left
      </p>
      <progress
        aria-label="Values checked"
        value={done}
        max={Math.max(total, 1)}
        className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}

interface ValueRowProps {
  item: ReviewItem;
  isShown: boolean;
  onShow: () => void;
  children: ReactNode;
}

function ValueRow({ item, isShown, onShow, children }: ValueRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const { path, risk, reasons } = item;
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
        <span className="text-sm text-ink-soft">{pathLabel(path)}</span>
        <span className={classNames('wrap-anywhere', isShown && 'text-lg font-semibold')}>
          {wordsOf(item) || <span className="text-ink-faint">Not given</span>}
        </span>
        <span className="text-sm text-ink-soft tabular-nums" title="Chance that it is wrong">
          {riskLabel(risk)}
        </span>
        {reasons.length > 0 && (
          <span className="col-span-2 col-start-2 mt-1 flex flex-wrap gap-1">
            {reasons
              .flatMap((reason) => chipsOf(reason, item))
              .map((words) => (
                <span key={words} className="rounded-sm bg-warn-soft px-1.5 text-xs text-warn">
                  {words}
                </span>
              ))}
          </span>
        )}
      </button>
      {children}
    </li>
  );
}

/** A failed check says itself what is wrong. */
function chipsOf(reason: ReviewReason, { failed_checks = [] }: ReviewItem): string[] {
  return reason === 'check_failed' && failed_checks.length > 0 ? failed_checks : [reasonLabels[reason]];
}

function ValueActions({ actions }: { actions: Record<string, () => void> }) {
  return (
    <div className="mt-2 flex gap-2 max-lg:*:h-11 max-lg:*:flex-1">
      <Button data-review look="primary" onClick={actions['enter']}>
        <Check aria-hidden className="size-4" />
        Confirm <KeyCap name="Enter" />
      </Button>
      <Button data-review onClick={actions['e']}>
        <Pencil aria-hidden className="size-4" />
        Edit <KeyCap name="e" />
      </Button>
      <Button data-review onClick={actions['x']}>
        <Eraser aria-hidden className="size-4" />
        Clear <KeyCap name="x" />
      </Button>
    </div>
  );
}

function wordsOf({ value, path }: ReviewItem): string {
  const scalar = typeof value === 'object' ? null : value;
  return formatValue({ value: scalar, path, shape: shapeOf(undefined, scalar) });
}
