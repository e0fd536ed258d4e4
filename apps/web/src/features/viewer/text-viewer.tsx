import type { Document, Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import { documentTextQuery, isBeingRead } from '../../shared/api/documents-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { usePagePick } from '../../shared/values/page-pick.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { usePageSearch, type PageHit } from './search/page-search.tsx';
import { usePassage, type LinkedPassage } from './passage/passage.ts';
import { SearchBar, useSearchKey } from './search/search-bar.tsx';
import { findQuote, splitText, type TextPart } from './passage/split-text.ts';
import { partsIn, textBlocks, textGrid, type TextBlock } from './passage/text-grid.ts';
import { UnreadNotice } from './pages/unread-notice.tsx';
import { useViewerScroll } from './pages/use-viewer-scroll.ts';
import { ViewerToolbar } from './pages/viewer-toolbar.tsx';

/** `plain` preserves spaces, `document` shows prose, `grid` a table. */
export type TextLook = 'plain' | 'document' | 'grid';

interface TextViewerProps {
  document: Document;
  grounding: Extraction['grounding'];
  look: TextLook;
}

const noHits: never[] = [];

/** Shows the text of a document page by page, for file types without page images. */
export function TextViewer({ document, grounding, look }: TextViewerProps) {
  const documentId = document.id;
  const { orgId } = useSession();
  const text = useQuery(documentTextQuery(orgId, documentId));
  const pages = useMemo(() => (text.data?.pages ?? []).filter((page) => page.text.trim() !== ''), [text.data]);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { currentPage, goToPage } = useViewerScroll(scroller, pages.length);
  const search = usePageSearch(documentId, currentPage);
  useSearchKey(search, scroller);
  const { selection, hovered } = useFieldFocus();
  const pick = usePagePick();
  const pickSelectedText = () => {
    const selectedText = globalThis.getSelection()?.toString().trim() ?? '';
    if (selectedText !== '') pick?.pickText(selectedText);
  };
  const shown = hovered ?? selection?.path;
  const place = shown === undefined ? undefined : grounding[shown];

  useEffect(() => {
    if (!selection || pages.length === 0) return;
    scroller?.querySelector('[data-quote]')?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [scroller, selection, pages]);
  const passage = usePassage();
  useEffect(() => {
    if (!passage?.found || pages.length === 0) return;
    const found = scroller?.querySelector('[data-match]') ?? scroller?.querySelector('[data-passage]');
    if (found) found.scrollIntoView({ block: 'center', inline: 'nearest' });
    else goToPage(passage.page);
  }, [scroller, passage, pages, goToPage]);
  const { active } = search;
  useEffect(() => {
    if (active) scroller?.querySelector('[data-hit="active"]')?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [scroller, active]);

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ViewerToolbar
        currentPage={currentPage}
        pageCount={text.data?.pages.length ?? 0}
        onPage={goToPage}
        onSearch={search.show}
      />
      <div className="relative flex min-h-0 flex-1">
        <SearchBar search={search} onLeave={() => scroller?.focus()} />
        <section
          ref={setScroller}
          aria-label="Pages"
          {...scrolledByKeys}
          onPointerUp={pick && pickSelectedText}
          className="relative min-h-0 min-w-0 flex-1 overflow-auto bg-page-bed p-4 focus-visible:-outline-offset-2"
        >
          {text.isPending && <Skeleton className="mx-auto h-96 max-w-4xl" />}
          {text.isError && (
            <Notice tone="bad" actions={<Button onClick={() => void text.refetch()}>Try again</Button>}>
              {messageOf(text.error)}
            </Notice>
          )}
          {text.isSuccess && pages.length === 0 && (
            <EmptyState icon={FileText} title="No text to show">
              {noTextReason(document)}
            </EmptyState>
          )}
          {pages.map((page) => (
            <TextPage
              key={page.page_num}
              pageNumber={page.page_num}
              text={page.text}
              look={look}
              quote={place?.page_num === page.page_num ? place.quote : null}
              hits={search.hitsByPage.get(page.page_num) ?? noHits}
              active={active?.pageNumber === page.page_num ? active.ordinal : undefined}
              passage={passage?.page === page.page_num ? passage : undefined}
            />
          ))}
        </section>
        <UnreadNotice documentId={documentId} onPage={goToPage} />
      </div>
    </div>
  );
}

function noTextReason(document: Document): string {
  if (isBeingRead(document)) return 'The text appears here when the file is read.';
  const reason = document.state === 'ocr_failed' ? 'The file could not be read.' : 'The file has no text.';
  return `${reason} Download it and open it in another program.`;
}

interface TextPageProps {
  pageNumber: number;
  text: string;
  look: TextLook;
  quote: string | null;
  hits: PageHit[];
  /** The index of the current hit. */
  active: number | undefined;
  passage: LinkedPassage | undefined;
}

const TextPage = memo(({ pageNumber, text, look, quote, hits, active, passage }: TextPageProps) => {
  const parts = useMemo(() => splitText(text, findQuote(text, quote), hits, passage), [text, quote, hits, passage]);
  const blocks = useMemo(() => blocksOf(text, look), [look, text]);
  return (
    <article
      data-page={pageNumber}
      aria-label={`Page ${pageNumber}`}
      className="mx-auto mb-3 max-w-4xl overflow-x-auto rounded-sm border border-line bg-surface p-5 last:mb-0"
    >
      {blocks.map((block) =>
        block.grid ? (
          <Grid key={block.start} rows={block.grid} look={look} parts={parts} active={active} />
        ) : (
          <pre key={block.start} className={lookClass[look]}>
            <Parts parts={blocks.length === 1 ? parts : partsIn(parts, block)} active={active} />
          </pre>
        ),
      )}
    </article>
  );
});
TextPage.displayName = 'TextPage';

function blocksOf(text: string, look: TextLook): TextBlock[] {
  if (look === 'document') return textBlocks(text);
  const grid = look === 'grid' ? textGrid(text) : undefined;
  return [{ start: 0, end: text.length, ...(grid && { grid }) }];
}

interface GridProps {
  rows: NonNullable<TextBlock['grid']>;
  look: TextLook;
  parts: TextPart[];
  active: number | undefined;
}

function Grid({ rows, look, parts, active }: GridProps) {
  return (
    <table
      className={classNames(
        'border-separate border-spacing-0 border-t border-l border-line text-sm',
        look === 'document' && `mx-auto my-3 w-full ${proseWidth}`,
      )}
    >
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} className="align-top">
            {row.map((cell, column) => (
              <td key={column} className="max-w-96 min-w-12 border-r border-b border-line px-2 py-1 wrap-anywhere">
                {cell && <Parts parts={partsIn(parts, cell)} active={active} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Holds the 100 characters at which lines of text are wrapped when a file is read, so that they are not wrapped again. */
const proseWidth = 'max-w-3xl';

const lookClass: Record<TextLook, string> = {
  plain: 'font-mono text-sm wrap-anywhere whitespace-pre-wrap',
  document: `mx-auto ${proseWidth} font-sans text-base leading-6 wrap-anywhere whitespace-pre-wrap`,
  grid: 'font-mono text-sm whitespace-pre',
};

function Parts({ parts, active }: { parts: TextPart[]; active: number | undefined }) {
  return parts.map((part, index) => {
    if (!part.quoted && part.hit === undefined && part.passage === undefined) return part.text;
    return <MarkedText key={index} part={part} active={part.hit !== undefined && part.hit === active} />;
  });
}

/** The stacking order: a value's place over a search hit, and that over the passage of the URL. */
function markLook({ quoted, hit, passage }: TextPart, active: boolean): string {
  if (quoted) return 'bg-mark-active ring-1 ring-mark-edge';
  if (hit !== undefined) return active ? 'bg-hit-active' : 'bg-hit';
  return passage === 'match' ? 'bg-hit-active' : 'bg-passage';
}

function MarkedText({ part, active }: { part: TextPart; active: boolean }) {
  const { text, quoted, hit, passage } = part;
  return (
    <mark
      {...(quoted ? { 'data-quote': '' } : {})}
      {...(hit === undefined ? {} : { 'data-hit': active ? 'active' : '' })}
      {...(passage === undefined ? {} : { 'data-passage': '' })}
      {...(passage === 'match' ? { 'data-match': '' } : {})}
      className={classNames('rounded-[2px] text-ink', markLook(part, active), active && 'ring-2 ring-hit-edge')}
    >
      {text}
    </mark>
  );
}
