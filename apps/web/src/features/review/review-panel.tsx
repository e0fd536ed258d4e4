import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, FileText, Table2 } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { promptQuery } from '../../shared/api/library-api.ts';
import { TagChips } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { ReviewFilterMenu } from './review-filter.tsx';
import { schemaAt } from './table-draft.ts';
import { TableEditor } from './table-editor.tsx';
import type { Desk } from './use-desk.ts';
import { keptRowsKey } from './use-group-values.ts';
import type { QueueFilter } from './queue/review-queue.ts';
import type { useReview } from './queue/use-review.ts';
import { otherWords, ThumbActions, ValueActions } from './value-actions.tsx';
import { ValueEditor } from './value-editor.tsx';
import { DecidedRows, FoldedRows, ValueRow } from './value-rows.tsx';
import { pathLabel, riskLabel } from '../../shared/values/review-labels.ts';
import { reviewExplanation } from './review-explanation.ts';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { counted } from '../../shared/formats/counted.ts';

const ConfirmDialog = lazyPart(async () => ({
  default: (await import('../../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

interface ReviewPanelProps {
  review: ReturnType<typeof useReview>;
  desk: Desk;
  filter: QueueFilter;
  onFilter: (filter: QueueFilter) => void;
}

/** The panel beside the page: progress, the open values of the document, and the actions on the current one. */
export function ReviewPanel({ review, desk, filter, onFilter }: ReviewPanelProps) {
  const { done, left, documents, problem, isWhole } = review;
  const { about, items, item, open, canWrite, actions } = desk;
  const toAudit = items.filter(({ audit }) => audit).length;
  const count = `${items.length - toAudit}${isWhole ? '' : '+'} to check${toAudit > 0 ? `, ${toAudit} for the audit` : ''}`;
  const { orgId } = useSession();
  const document = useQuery({ ...documentQuery(orgId, about?.document_id ?? ''), enabled: about !== undefined });
  const tagIds = document.data?.tag_ids ?? [];
  return (
    <section
      aria-label="Values to check"
      className="@container flex min-h-0 min-w-0 flex-1 flex-col bg-surface short:border-r short:border-line"
    >
      <Progress done={done} left={left} documents={documents}>
        <ReviewFilterMenu filter={filter} onFilter={onFilter} />
      </Progress>
      {about && (
        <header className="flex items-center gap-2 border-b border-line px-3 py-2">
          <FileText aria-hidden className="size-4 shrink-0 text-ink-soft" />
          <h2 className="min-w-0 truncate font-semibold" title={about.document_name}>
            {about.document_name}
          </h2>
          <span className="max-md:hidden">
            <TagChips tagIds={tagIds} />
          </span>
          <span className="ml-auto shrink-0 text-sm text-ink-soft">{count}</span>
        </header>
      )}
      {about && desk.values.extraction?.is_complete === false && (
        <p className="border-b border-line bg-warn-soft px-3 py-1.5 text-sm text-warn">
          The result is incomplete. Its Extraction tab says what is missing.
        </p>
      )}
      {!about && <p className="flex-1 px-3 py-4 text-sm text-ink-soft">No value to check matches the filter.</p>}
      {item && open?.kind === 'table' ? (
        <TableEditor
          key={`${item.document_id} ${open.path}`}
          keptAs={keptRowsKey(item, open.path, open.version)}
          path={open.path}
          list={open.list}
          schema={schemaAt(desk.values.schema, open.path)}
          from={open.from}
          picked={open.picked}
          isSaving={desk.isSavingTable}
          onFocusValue={desk.setCellPath}
          onSave={(rows, count) => void desk.saveTable(rows, count)}
          onTyped={desk.onTyped}
          onClose={desk.close}
        />
      ) : (
        about && <Values review={review} desk={desk} />
      )}
      {problem !== undefined && <Message tone="warn">{problem}</Message>}
      {desk.pickProblem !== undefined && <Message tone="warn">{desk.pickProblem}</Message>}
      {open?.kind === 'verify' && (
        <Message tone="accent">
          {unseenSentence(desk)} v again verifies the document{desk.unseen.length > 0 && ' and marks them as not seen'}.
        </Message>
      )}
      {desk.isPicking && (
        <Message tone="accent">
          Draw a box on the page. By keyboard: arrow keys go from word to word, Shift takes more, Enter uses them, Esc
          ends.
        </Message>
      )}
      {about && open?.kind !== 'table' && (
        <>
          {canWrite && item && !open && <ThumbActions desk={desk} />}
          <footer className="flex flex-wrap items-center gap-x-1.5 gap-y-1 border-t border-line px-3 py-2 text-sm text-ink-soft">
            {canWrite && (
              <Button onClick={actions.byKey['v']} size="small">
                <BadgeCheck aria-hidden className="size-4" />
                Verify document <KeyCap name="v" />
              </Button>
            )}
            {actions.byKey['t'] && canWrite && (
              <Button size="small" look="quiet" onClick={actions.byKey['t']}>
                <Table2 aria-hidden className="size-4" />
                Rows <KeyCap name="t" />
              </Button>
            )}
            <Button size="small" look="quiet" onClick={actions.byKey['n']}>
              {item ? 'Pass over' : 'Next document'} <KeyCap name="n" />
            </Button>
            <Button size="small" look="quiet" onClick={actions.byKey['p']} className="max-lg:hidden">
              Previous <KeyCap name="p" />
            </Button>
            <span className="ml-auto hidden whitespace-nowrap @xl:inline">
              Keys <KeyCap name="?" />
            </span>
          </footer>
        </>
      )}
      <Suspense>
        {desk.question && (
          <ConfirmDialog
            title="Discard what you have typed?"
            description="The editor of a value is open, and what you have typed there is not saved."
            action="Discard"
            cancelLabel="Keep editing"
            run={desk.question.discard}
            onClose={desk.question.keep}
          />
        )}
      </Suspense>
    </section>
  );
}

function Values({ review, desk }: Pick<ReviewPanelProps, 'review' | 'desk'>) {
  const { about, items, at, open, values, canWrite, rest } = desk;
  const { orgId } = useSession();
  const prompt = useQuery({ ...promptQuery(orgId, about?.prompt_revid ?? ''), enabled: about !== undefined });
  // Values are formatted by the schema: without it a date would change its look a moment later.
  if (values.isPending)
    return (
      <div className="min-h-0 flex-1">
        <Skeleton className="m-3 h-40" />
      </div>
    );
  const toAudit = items.filter(({ audit }) => audit).length;
  const confirmBelow = prompt.data?.review_policy?.confirm_below;
  const reviews = values.extraction?.review ?? {};
  const accepted = Object.entries(reviews).flatMap(([path, { state }]) => (state === 'accepted' ? [path] : []));
  const folded = { review: reviews, result: values.extraction?.result, values, onShow: desk.highlight };
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      {items.length > 0 && (
        <h3 className="flex items-baseline gap-1.5 border-b border-line bg-sunken px-3 py-1 text-sm font-semibold">
          To check <span className="font-normal text-ink-soft">{items.length - toAudit}</span>
          {toAudit > 0 && (
            <span
              className="font-normal text-ink-soft"
              title="The release policy drew this document: an audit looks at all of its values."
            >
              and {toAudit} for the audit
            </span>
          )}
          <span className="ml-auto text-xs font-normal text-ink-soft">Chance it is wrong</span>
        </h3>
      )}
      {items.length === 0 && (
        <p className="border-b border-line px-3 py-3">
          All values to check are decided. {canWrite && 'v verifies the document, n goes on without.'}
        </p>
      )}
      <ul>
        {items.map((each, index) => (
          <ValueRow
            key={each.path}
            item={each}
            values={values}
            isShown={index === at}
            explanation={reviewExplanation(each, index === at ? otherWords(desk) : undefined)}
            onShow={() => desk.moveTo(index)}
          >
            {index === at &&
              (open?.kind === 'editor' ? (
                <ValueEditor
                  key={open.ordinal}
                  item={each}
                  values={values}
                  decided={review.decidedHere}
                  start={desk.editorText}
                  kept={open.kept}
                  onSave={desk.saveValue}
                  onCancel={desk.close}
                  onText={desk.keepTyped}
                  onTyped={desk.onTyped}
                />
              ) : (
                canWrite && <ValueActions desk={desk} />
              ))}
          </ValueRow>
        ))}
      </ul>
      <DecidedRows decided={review.decidedHere} values={values} onReopen={desk.reopen} />
      <FoldedRows
        {...folded}
        title={`${rest.length} more ${rest.length === 1 ? 'looks' : 'look'} right`}
        note="open to check them as well"
        paths={rest}
        onOpen={desk.seeRest}
      />
      <FoldedRows
        {...folded}
        title={`Accepted${confirmBelow === undefined ? '' : ` below ${riskLabel(confirmBelow)}`} · ${accepted.length}`}
        note={
          <>
            <span className="max-md:hidden">by the prompt’s policy, </span>not verified
          </>
        }
        paths={accepted}
      />
    </div>
  );
}

const maxNamed = 4;

/** Names the values to check that the user has not seen, or has passed over. */
function unseenSentence({ unseen, items }: Desk): string {
  const named = unseen.length > 0 ? unseen : items;
  const names = named.slice(0, maxNamed).map(({ path }) => pathLabel(path));
  const more = named.length > maxNamed ? ` and ${named.length - maxNamed} more` : '';
  return `${unseen.length > 0 ? 'Not looked at' : 'Passed over'}: ${names.join(', ')}${more}.`;
}

const tones = { warn: 'bg-warn-soft text-warn', accent: 'bg-accent-soft' };

function Message({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
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
          <strong>{done.toLocaleString()}</strong> of {total.toLocaleString()} values · {counted(documents, 'document')}{' '}
          left
        </p>
        {children}
      </div>
      <ProgressBar label="Values checked" value={done} max={Math.max(total, 1)} className="mt-1.5 h-1.5 w-full" />
    </div>
  );
}
