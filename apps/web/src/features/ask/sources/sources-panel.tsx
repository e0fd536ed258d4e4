import type { AskRows, Citation } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpenCheck, X } from 'lucide-react';
import { useState } from 'react';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { documentQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { scrolledByKeys } from '../../../shared/ui/scroll-box.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { RowsTable } from './rows-table.tsx';
import { PlaceOnPage, type CitedPlace } from './place-on-page.tsx';
import { citationLabel, citationsOf, citedValueLabel, rowsLabel } from './source-labels.ts';
import { useSources, type Detail, type SourcedAnswer } from './sources.tsx';

/** Sources and documents that are listed at first. */
const initialCount = 30;

/** The documents that an answer cites. A source opens at its place; a number shows its rows. */
export function SourcesPanel({ place, threadId }: { place: ChatPlace; threadId: string | undefined }) {
  const { answer, detail } = useSources();
  return (
    <section aria-label="Sources" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {answer === undefined || citationsOf(answer.claims).length === 0 ? (
        <EmptyState icon={BookOpenCheck} title={answer === undefined ? 'Sources appear here' : 'No sources'}>
          {answer === undefined
            ? 'Each number in an answer opens the value or passage that the sentence is based on.'
            : 'The answer cites nothing.'}
        </EmptyState>
      ) : (
        <SourceList answer={answer} isShort={detail !== undefined} />
      )}
      {answer && detail && (
        <OpenDetail
          key={detail.kind === 'citation' ? detail.citation.id : 'missing'}
          place={place}
          threadId={threadId}
          answer={answer}
          detail={detail}
        />
      )}
    </section>
  );
}

function SourceList({ answer, isShort }: { answer: SourcedAnswer; isShort: boolean }) {
  const { detail, open } = useSources();
  const [showsAll, setShowsAll] = useState(false);
  const citations = citationsOf(answer.claims);
  return (
    <div
      {...scrolledByKeys}
      className={classNames(
        'overflow-auto p-3',
        isShort ? 'max-h-[35%] shrink-0 border-b border-line' : 'min-h-0 flex-1',
      )}
    >
      <h2 className="pb-1.5 text-sm font-semibold">Sources of the answer</h2>
      <ol className="flex flex-col">
        {citations.slice(0, showsAll ? undefined : initialCount).map((citation, index) => {
          const isOpen = detail?.kind === 'citation' && detail.citation.id === citation.id;
          return (
            <li key={citation.id}>
              <button
                type="button"
                aria-pressed={isOpen}
                onClick={() => open(answer, citation)}
                className={classNames(
                  'flex min-h-8 w-full items-baseline gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover',
                  isOpen && 'bg-accent-soft',
                )}
              >
                <span className="w-6 shrink-0 text-right text-xs text-ink-faint tabular-nums">{index + 1}</span>
                <span className="min-w-0 flex-1">
                  <span className="line-clamp-2 wrap-anywhere">{citationLabel(citation)}</span>
                  <span className="block truncate text-xs text-ink-soft">
                    {citation.document_id === undefined ? rowsLabel(citation) : <DocumentName citation={citation} />}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {citations.length > initialCount && !showsAll && (
        <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
          Show all {citations.length}
        </Button>
      )}
    </div>
  );
}

function DocumentName({ citation: { document_id = '', page_num } }: { citation: Citation }) {
  const { orgId } = useSession();
  const { data } = useQuery({ ...documentQuery(orgId, document_id), staleTime: 60_000 });
  return `${data?.document_name ?? 'Document'}${page_num === undefined ? '' : `, page ${page_num}`}`;
}

interface OpenDetailProps {
  place: ChatPlace;
  threadId: string | undefined;
  answer: SourcedAnswer;
  detail: Detail;
}

function OpenDetail({ place, threadId, answer, detail }: OpenDetailProps) {
  const { close } = useSources();
  const [shown, setShown] = useState<CitedPlace>();
  if (shown) return <PlaceOnPage place={shown} onClose={() => setShown(undefined)} />;
  if (detail.kind === 'missing') return <MissingDocuments ids={answer.coverage?.without_value ?? []} onClose={close} />;
  const { citation, ordinal } = detail;
  const { document_id } = citation;
  if (document_id !== undefined) {
    const quote = citation.kind === 'passage' ? citedValueLabel(citation) : citation.quote;
    return <PlaceOnPage place={{ ...citation, quote, document_id, ordinal }} onClose={close} />;
  }
  if (threadId === undefined) return null;
  const show = ({ document_id: of }: AskRows['rows'][number], cell: AskRows['rows'][number]['cells'][number]) =>
    setShown({ ...cell, document_id: of, ordinal: 1 });
  return (
    <RowsTable
      place={place}
      threadId={threadId}
      question={answer.question}
      citation={citation}
      onShow={show}
      onClose={close}
    />
  );
}

/** Documents that lack one of the fields that the answer used. */
function MissingDocuments({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section aria-label="Documents without a value" className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 text-sm">
        <h3 className="font-medium">Without a value</h3>
        <span className="text-ink-soft">{ids.length}</span>
        <IconButton label="Close the list" onClick={onClose} className="ml-auto">
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <ul {...scrolledByKeys} aria-label="Documents" className="min-h-0 flex-1 overflow-auto p-3 text-sm">
        {ids.slice(0, showsAll ? undefined : initialCount).map((id) => (
          <li key={id} className="py-0.5">
            <Link to="/documents/$documentId" params={{ documentId: id }} className={textLinkClass}>
              <DocumentName citation={{ id, kind: 'cell', document_id: id }} />
            </Link>
          </li>
        ))}
        {ids.length > initialCount && !showsAll && (
          <li>
            <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
              Show all {ids.length}
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}
