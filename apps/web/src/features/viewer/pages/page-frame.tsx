import { memo, Suspense, useEffect, useRef, useMemo, type ReactNode } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { boxStyle, type PageBox, type Mark } from '../geometry/box-geometry.ts';
import { PickLayer } from './pick-layer.tsx';
import { useNear } from './use-near.ts';
import type { LinkedPassage } from '../passage/passage.ts';
import { useDebounced } from '../../../shared/ui/browser/use-debounced.ts';
import { useQuery } from '@tanstack/react-query';
import { documentTextQuery, documentWordsQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { usePagePick } from '../../../shared/values/page-pick.tsx';
import { usePageSearchContext, type PageSearch } from '../search/page-search.tsx';
import { hitBoxes } from '../search/search-text.ts';
import { useFieldFocus } from '../../../shared/values/field-focus.tsx';
import { pathOfAfterMark } from '../../../shared/evaluation/after-mark.ts';
import { labelOf } from '../../../shared/values/field-shape.ts';

const PassageLayer = lazyPart(async () => ({ default: (await import('../passage/passage-layer.tsx')).PassageLayer }));

/** Renders a page or thumbnail at a width in pixels. */
export type DrawPage = (pageNumber: number, width: number) => ReactNode;

interface PageFrameProps {
  documentId: string;
  pageNumber: number;
  /** Displayed size in pixels. */
  width: number;
  height: number;
  marks: Mark[];
  /** The passage of the URL, if it is on this page. */
  passage: LinkedPassage | undefined;
  /** The scroller that contains the page. */
  root: HTMLElement | null;
  draw: DrawPage;
  onReveal: (box: PageBox) => void;
}

/**
 * Reserves a page's place and renders it when it comes near the visible area. While the zoom changes, the rendered page
 * is stretched; it is rendered again when the zoom stays the same.
 */
export const PageFrame = memo((props: PageFrameProps) => {
  const { documentId, pageNumber, width, height, marks, passage, root, draw, onReveal } = props;
  const frame = useRef<HTMLDivElement>(null);
  const near = useNear(frame, root, '100% 0px');
  const pick = usePagePick();
  const drawnWidth = useDebounced(width, 150);
  return (
    <div
      ref={frame}
      data-page={pageNumber}
      className={classNames(
        'relative mx-auto mb-3 overflow-hidden bg-paper shadow-sm last:mb-0',
        pick && 'cursor-crosshair **:cursor-crosshair!',
      )}
      style={{ width, height, ...(pick?.isArmed && { touchAction: 'none' }) }}
    >
      {near && (
        <div
          className="origin-top-left"
          style={{ width: drawnWidth, ...(width === drawnWidth ? {} : { transform: `scale(${width / drawnWidth})` }) }}
        >
          {draw(pageNumber, drawnWidth)}
        </div>
      )}
      {marks.length > 0 && <MarksLayer marks={marks} />}
      {near && passage && (
        <Suspense>
          <PassageLayer documentId={documentId} passage={passage} onReveal={onReveal} />
        </Suspense>
      )}
      {near && pick && <PickLayer pageNumber={pageNumber} frame={frame} pick={pick} />}
      {near && <UnreadLayer documentId={documentId} pageNumber={pageNumber} />}
      {near && <HitsLayer pageNumber={pageNumber} onReveal={onReveal} />}
    </div>
  );
});
PageFrame.displayName = 'PageFrame';

interface HitsLayerProps {
  pageNumber: number;
  onReveal: (box: PageBox) => void;
}

/** The search hits on one page. */
function HitsLayer({ pageNumber, onReveal }: HitsLayerProps) {
  const search = usePageSearchContext();
  if (!search?.hitsByPage.has(pageNumber)) return null;
  return <PageHits search={search} pageNumber={pageNumber} onReveal={onReveal} />;
}

function PageHits({ search, pageNumber, onReveal }: HitsLayerProps & { search: PageSearch }) {
  const { orgId } = useSession();
  const { documentId, searched, active } = search;
  const words = useQuery(documentWordsQuery(orgId, documentId, pageNumber)).data;
  const places = useMemo(() => (words ? hitBoxes(words, pageNumber, searched) : []), [words, pageNumber, searched]);
  const activePlace = active?.pageNumber === pageNumber ? places[active.ordinal] : undefined;
  const [first] = activePlace ?? [];
  useEffect(() => {
    if (active && first) onReveal(first);
  }, [active, first, onReveal]);
  return (
    <div className="pointer-events-none absolute inset-0 z-10 mix-blend-multiply">
      {places.map((boxes, ordinal) =>
        boxes.map((box, index) => (
          <span
            key={`${ordinal}-${index}`}
            data-hit={boxes === activePlace ? 'active' : ''}
            style={boxStyle(box)}
            className={classNames(
              'absolute rounded-[2px]',
              boxes === activePlace ? 'bg-hit-active ring-2 ring-hit-edge' : 'bg-hit ring-1 ring-hit-edge',
            )}
          />
        )),
      )}
    </div>
  );
}

/** The places of extracted values on one page. They have no tab stop: keyboard users reach them through the panel. */
export function MarksLayer({ marks }: { marks: Mark[] }) {
  const { selection, hovered, select, hover } = useFieldFocus();
  // Yellow and the blue of a hit would mix to olive: while there are hits, places have only an outline.
  const idle = (usePageSearchContext()?.hitsByPage.size ?? 0) > 0 ? 'ring-1 ring-mark' : 'bg-mark hover:bg-mark-active';
  return (
    <div className="pointer-events-none absolute inset-0 z-10 mix-blend-multiply">
      {marks.map(({ path, box }, index) => {
        const after = pathOfAfterMark(path);
        const active = path === selection?.path || path === hovered;
        const name = (after ?? path).split('.').map(labelOf).join(', ');
        return (
          <button
            key={`${path}-${index}`}
            type="button"
            tabIndex={-1}
            data-mark={path}
            data-active={active || undefined}
            aria-label={after === undefined ? `Show the field ${name}` : `After the change: ${name}`}
            style={boxStyle(box)}
            onPointerEnter={() => hover(after ?? path)}
            onPointerLeave={() => hover(undefined)}
            onClick={() => select(after ?? path)}
            className={classNames(
              'pointer-events-auto absolute rounded-[2px] ring-offset-0 transition-[background-color,box-shadow] duration-100',
              after !== undefined && 'bg-warn-soft ring-2 ring-warn',
              after === undefined && (active ? 'bg-mark-active ring-2 ring-mark-edge' : idle),
            )}
          />
        );
      })}
    </div>
  );
}

/** The places on one page where something could not be read. */
export function UnreadLayer({ documentId, pageNumber }: { documentId: string; pageNumber: number }) {
  const { orgId } = useSession();
  const text = useQuery(documentTextQuery(orgId, documentId)).data;
  const page = text?.pages.find(({ page_num }) => page_num === pageNumber);
  const parts = (page?.unread ?? []).filter(({ box }) => box !== undefined);
  // The size of the page, in the unit of the boxes.
  const size = useQuery({ ...documentWordsQuery(orgId, documentId, pageNumber), enabled: parts.length > 0 }).data?.page;
  if (!size) return null;
  return (
    <div className="pointer-events-none absolute inset-0 z-10">
      {parts.map(({ box, message }, index) => {
        const { x0, y0, x1, y1 } = box!;
        const place = { x0: x0 / size.width, y0: y0 / size.height, x1: x1 / size.width, y1: y1 / size.height };
        return (
          <span
            key={index}
            title={message}
            style={boxStyle({ page_num: pageNumber, ...place })}
            className="pointer-events-auto absolute rounded-[2px] border border-dashed border-warn"
          >
            <span className="sr-only">Not read: {message}</span>
          </span>
        );
      })}
    </div>
  );
}
