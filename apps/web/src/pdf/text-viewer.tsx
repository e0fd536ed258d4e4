import type { Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { documentTextQuery } from '../api/documents-api.ts';
import { useFieldFocus } from '../extraction/field-focus.tsx';
import { useSession } from '../identity/session.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { scrolledByKeys } from '../ui/scroll-box.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { splitAtQuote } from './split-at-quote.ts';
import { useViewerScroll } from './use-viewer-scroll.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';

interface TextViewerProps {
  documentId: string;
  grounding: Extraction['grounding'];
}

/** What the server has read, page by page, for kinds that have no picture of a page. */
export function TextViewer({ documentId, grounding }: TextViewerProps) {
  const { orgId } = useSession();
  const text = useQuery(documentTextQuery(orgId, documentId));
  const pages = text.data?.pages ?? [];
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { currentPage, goToPage } = useViewerScroll(scroller, pages.length);
  const { selection, hovered } = useFieldFocus();
  const shown = hovered ?? selection?.path;
  const place = shown === undefined ? undefined : grounding[shown];

  useEffect(() => {
    if (selection) scroller?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [scroller, selection]);

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ViewerToolbar currentPage={currentPage} pageCount={pages.length} onPage={goToPage} />
      <section
        ref={setScroller}
        aria-label="Pages"
        {...scrolledByKeys}
        className="relative min-h-0 flex-1 overflow-auto bg-page-bed p-4"
      >
        {text.isPending && <Skeleton className="mx-auto h-96 max-w-4xl" />}
        {text.isError && <Notice tone="bad">{messageOf(text.error)}</Notice>}
        {text.isSuccess && pages.every((page) => page.text.trim() === '') && (
          <EmptyState icon={FileText} title="No text to show">
            Nothing readable was found in this file. Download it to open it with its own program.
          </EmptyState>
        )}
        {pages
          .filter((page) => page.text.trim() !== '')
          .map((page) => (
            <article
              key={page.page_num}
              data-page={page.page_num}
              aria-label={`Page ${page.page_num}`}
              className="mx-auto mb-3 max-w-4xl overflow-x-auto rounded-sm border border-line bg-surface p-5 last:mb-0"
            >
              <pre className="font-mono text-sm whitespace-pre">
                {splitAtQuote(page.text, place?.page_num === page.page_num ? place.quote : null).map((part, index) => (
                  <Fragment key={index}>
                    {part.quoted ? (
                      <mark className="rounded-[2px] bg-mark-active text-ink ring-1 ring-mark-edge">{part.text}</mark>
                    ) : (
                      part.text
                    )}
                  </Fragment>
                ))}
              </pre>
            </article>
          ))}
      </section>
    </div>
  );
}
