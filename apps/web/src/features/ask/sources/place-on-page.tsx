import type { Citation, Grounding } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { documentQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { FieldFocusContext, type FieldFocus } from '../../../shared/values/field-focus.tsx';
import { DocumentViewer, PassageContext } from '../../viewer/index.ts';

/** A place of a document that an answer cites. */
export interface CitedPlace extends Pick<Citation, 'id' | 'page_num' | 'boxes' | 'path' | 'quote'> {
  document_id: string;
  /** Grows with each click, so that the same place scrolls into view again. */
  ordinal: number;
}

const nothingFound = { matches: [], text: undefined };
const ignore = () => undefined;

/** The document of a citation, scrolled to its place, which is lit up. */
export function PlaceOnPage({ place, onClose }: { place: CitedPlace; onClose: () => void }) {
  const { orgId } = useSession();
  const { document_id, page_num, boxes = [], quote, path, id, ordinal } = place;
  const document = useQuery(documentQuery(orgId, document_id));
  const [hovered, hover] = useState<string>();
  const focus = useMemo<FieldFocus>(
    () => ({
      selection: { path: id, ordinal, wantsFocus: false },
      hovered,
      select: ignore,
      showOnPage: ignore,
      follow: ignore,
      hover,
    }),
    [id, ordinal, hovered],
  );
  // Files without pictures of pages have no boxes to show: there the words are lit up.
  const isPlaced = boxes.length > 0 || quote !== undefined;
  const grounding = useMemo(() => {
    const found: Grounding = { page_num: page_num ?? null, quote: quote ?? null, boxes, match: 'exact' };
    return isPlaced ? { [id]: found } : {};
  }, [id, page_num, boxes, quote, isPlaced]);
  // Without a place on it, the viewer scrolls to the page.
  const passage = useMemo(
    () => (page_num === undefined || isPlaced ? undefined : { page: page_num, range: undefined, found: nothingFound }),
    [page_num, isPlaced],
  );
  const name = document.data?.document_name ?? 'Document';
  return (
    <section aria-label={`Place in ${name}`} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 text-sm">
        <h3 className="min-w-0 truncate font-medium" title={name}>
          {name}
        </h3>
        {page_num !== undefined && <span className="shrink-0 text-ink-soft">page {page_num}</span>}
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          search={{ ...(path !== undefined && { field: path }), ...(page_num !== undefined && { page: page_num }) }}
          className={`${textLinkClass} ml-auto shrink-0`}
        >
          Open
        </Link>
        <IconButton label="Close the document" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {!isPlaced && page_num === undefined && (
        <p className="border-b border-line bg-surface px-3 py-1.5 text-sm text-ink-soft">
          The place of this value on the page is not known.
        </p>
      )}
      {document.isError && <RetryNotice error={document.error} retry={() => void document.refetch()} />}
      {document.isPending && <Spinner label="Loading the document" className="m-4 text-ink-faint" />}
      {document.data && (
        <FieldFocusContext value={focus}>
          <PassageContext value={passage}>
            <DocumentViewer key={document_id} document={document.data} grounding={grounding} />
          </PassageContext>
        </FieldFocusContext>
      )}
    </section>
  );
}
