import type { Extraction } from '@docwright/contract';
import { Suspense, useEffect, useMemo, useState, useEffectEvent, type ReactNode } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { useFieldFocus } from '../../../shared/values/field-focus.tsx';
import { usePagePick } from '../../../shared/values/page-pick.tsx';
import { scrolledByKeys } from '../../../shared/ui/scroll-box.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { enclosingBox, marksByPage } from '../geometry/box-geometry.ts';
import { PageFrame, type DrawPage } from './page-frame.tsx';
import { PageSearchContext, usePageSearch } from '../search/page-search.tsx';
import { usePassage } from '../passage/passage.ts';
import { SearchBar, useSearchKey } from '../search/search-bar.tsx';
import { useElementSize } from '../geometry/use-element-size.ts';
import { UnreadNotice } from './unread-notice.tsx';
import { useViewerScroll } from './use-viewer-scroll.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import { nextZoom, readableZoom, wheelZoom, zoomFactor, type PageSize, type Zoom } from '../geometry/zoom.ts';

const PageThumbnails = lazyPart(async () => ({ default: (await import('./page-thumbnails.tsx')).PageThumbnails }));

const noMarks: never[] = [];

interface PageViewerProps {
  documentId: string;
  grounding: Extraction['grounding'];
  /** Displayed sizes with rotation and crop, which give every page its place before it is rendered; empty while unknown. */
  pages: PageSize[];
  /** CSS pixels of one unit of these sizes at the paper's own size. */
  pixelsPerUnit: number;
  draw: DrawPage;
  drawThumbnail: DrawPage;
  /** Shown instead of the pages until their sizes are known. */
  placeholder: ReactNode;
}

/** Whether the page is at most one window height away from the visible area. */
function isNear(scroller: HTMLElement, pageNumber: number): boolean {
  const page = scroller.querySelector<HTMLElement>(`[data-page="${pageNumber}"]`);
  if (!page) return false;
  const [top, bottom] = [page.offsetTop - scroller.scrollTop, page.offsetTop + page.offsetHeight - scroller.scrollTop];
  return bottom > -scroller.clientHeight && top < 2 * scroller.clientHeight;
}

/** A column of pages of any file type, with zoom, thumbnails, search and the places of extracted values. */
export function PageViewer(props: PageViewerProps) {
  const { documentId, grounding, pages, pixelsPerUnit, draw, drawThumbnail, placeholder } = props;
  const [area, setArea] = useState<HTMLElement | null>(null);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [zoom, setZoom] = useState<Zoom>('width');
  const scrollerSize = useElementSize(scroller);
  const pick = usePagePick();
  const factor = zoomFactor(zoom, pages, scrollerSize, pixelsPerUnit);
  // In the review the page has to be readable, on a phone too.
  const scale = pick && zoom === 'width' ? Math.max(factor, readableZoom(pages, pixelsPerUnit)) : factor;
  const isReady = pages.length > 0 && scrollerSize.width > 0;
  const { currentPage, goToPage, reveal, holdAt } = useViewerScroll(scroller, isReady ? pages.length : 0, scale);
  const search = usePageSearch(documentId, currentPage);
  const [thumbnails, storeThumbnails] = useStoredValue('docwright.thumbnails');
  const { selection } = useFieldFocus();
  const marks = useMemo(() => marksByPage(grounding), [grounding]);
  useSearchKey(search, area);
  useZoomKeys(scroller, { scale, setZoom, holdAt });

  // Boxes are compared as text: a new object with the same place does not scroll again.
  const box = selection && enclosingBox(grounding[selection.path]);
  const selectedBox = box && JSON.stringify(box);
  const placedPages = isReady ? pages : undefined;
  useEffect(() => {
    if (placedPages && selection && selectedBox !== undefined) reveal(JSON.parse(selectedBox));
  }, [placedPages, selection, selectedBox, reveal]);

  const pickedBox = pick?.box && JSON.stringify(pick.box);
  useEffect(() => {
    if (placedPages && pickedBox !== undefined) reveal(JSON.parse(pickedBox));
  }, [placedPages, pickedBox, reveal]);

  const passage = usePassage();
  const passagePage = passage?.page;
  const isWholePage = passage?.range === undefined;
  useEffect(() => {
    if (!placedPages || !scroller || passagePage === undefined) return;
    // The passage layer scrolls to a text range itself.
    if (isWholePage || !isNear(scroller, passagePage)) goToPage(passagePage);
  }, [placedPages, scroller, passagePage, isWholePage, goToPage]);

  const { active } = search;
  useEffect(() => {
    // Scrolls near enough for the page to be rendered; the hits layer then scrolls to the hit.
    if (active && scroller && !isNear(scroller, active.pageNumber)) goToPage(active.pageNumber);
  }, [active, scroller, goToPage]);

  return (
    <PageSearchContext value={search}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ViewerToolbar
          currentPage={currentPage}
          pageCount={pages.length}
          onPage={goToPage}
          thumbnails={thumbnails === 'shown'}
          onThumbnails={pages.length > 1 ? (next) => storeThumbnails(next ? 'shown' : null) : undefined}
          zoom={zoom}
          zoomFactor={isReady ? scale : undefined}
          onZoom={setZoom}
          onSearch={search.show}
          pick={pick}
        />
        <div ref={setArea} className="relative flex min-h-0 flex-1">
          <SearchBar search={search} onLeave={() => scroller?.focus()} />
          <>
            {thumbnails === 'shown' && pages.length > 1 && (
              <Suspense fallback={<div className="w-36 shrink-0 border-r border-line bg-canvas" />}>
                <PageThumbnails pages={pages} currentPage={currentPage} draw={drawThumbnail} onPage={goToPage} />
              </Suspense>
            )}
            <section
              ref={setScroller}
              aria-label="Pages"
              {...scrolledByKeys}
              className="relative min-h-0 min-w-0 flex-1 overflow-auto bg-page-bed p-4 [overflow-anchor:none] [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
            >
              {isReady
                ? pages.map((size, index) => (
                    <PageFrame
                      key={index}
                      documentId={documentId}
                      pageNumber={index + 1}
                      width={Math.round(size.width * scale * pixelsPerUnit)}
                      height={Math.round(size.height * scale * pixelsPerUnit)}
                      marks={marks.get(index + 1) ?? noMarks}
                      passage={passagePage === index + 1 ? passage : undefined}
                      root={scroller}
                      draw={draw}
                      onReveal={reveal}
                    />
                  ))
                : placeholder}
            </section>
          </>
          {isReady && <UnreadNotice documentId={documentId} onPage={goToPage} />}
        </div>
      </div>
    </PageSearchContext>
  );
}

interface ZoomKeys {
  scale: number;
  setZoom: (zoom: Zoom) => void;
  holdAt: (left: number, top: number) => void;
}

/** Zooms with Ctrl and the wheel at the pointer, and with Ctrl and +, − or 0 while the pages have the focus. */
function useZoomKeys(scroller: HTMLElement | null, { scale, setZoom, holdAt }: ZoomKeys) {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey || !scroller) return;
    event.preventDefault();
    const corner = scroller.getBoundingClientRect();
    holdAt(event.clientX - corner.left, event.clientY - corner.top);
    setZoom(wheelZoom(scale, event.deltaY));
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.key === '+' || event.key === '=') setZoom(nextZoom(scale, 1));
    else if (event.key === '-') setZoom(nextZoom(scale, -1));
    else if (event.key === '0') setZoom('width');
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!scroller) return;
    const onTurn = (event: WheelEvent) => onWheel(event);
    const onPress = (event: KeyboardEvent) => onKey(event);
    // Not passive, since the browser would zoom the whole app.
    scroller.addEventListener('wheel', onTurn, { passive: false });
    scroller.addEventListener('keydown', onPress);
    return () => {
      scroller.removeEventListener('wheel', onTurn);
      scroller.removeEventListener('keydown', onPress);
    };
  }, [scroller]);
}
