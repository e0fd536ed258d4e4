import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { nextZoom, type Zoom } from './zoom.ts';

interface ViewerToolbarProps {
  currentPage: number;
  pageCount: number;
  onPage: (page: number) => void;
  zoom?: Zoom;
  /** What `fit` comes to now; 1 is the paper's own size, undefined before it is known. */
  shownZoom?: number | undefined;
  onZoom?: (zoom: Zoom) => void;
  children?: ReactNode;
}

export function ViewerToolbar({
  currentPage,
  pageCount,
  onPage,
  zoom,
  shownZoom,
  onZoom,
  children,
}: ViewerToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Page"
      className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-surface px-2"
    >
      <IconButton label="Previous page" disabled={currentPage <= 1} onClick={() => onPage(currentPage - 1)}>
        <ChevronLeft className="size-4" />
      </IconButton>
      <PageNumber currentPage={currentPage} pageCount={pageCount} onPage={onPage} />
      <IconButton label="Next page" disabled={currentPage >= pageCount} onClick={() => onPage(currentPage + 1)}>
        <ChevronRight className="size-4" />
      </IconButton>
      {onZoom && (
        <div className="ml-auto flex items-center gap-1">
          <IconButton label="Zoom out" onClick={() => onZoom(nextZoom(shownZoom ?? 1, -1))}>
            <ZoomOut className="size-4" />
          </IconButton>
          <span className="w-11 text-center text-xs text-ink-soft tabular-nums">
            {shownZoom === undefined ? '–' : `${Math.round(shownZoom * 100)} %`}
          </span>
          <IconButton label="Zoom in" onClick={() => onZoom(nextZoom(shownZoom ?? 1, 1))}>
            <ZoomIn className="size-4" />
          </IconButton>
          <IconButton label="Fit the width" disabled={zoom === 'fit'} onClick={() => onZoom('fit')}>
            <Maximize2 className="size-4" />
          </IconButton>
        </div>
      )}
      {children}
    </div>
  );
}

interface PageNumberProps {
  currentPage: number;
  pageCount: number;
  onPage: (page: number) => void;
}

function PageNumber({ currentPage, pageCount, onPage }: PageNumberProps) {
  const [typed, setTyped] = useState<string>();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const page = Number(typed);
    if (Number.isInteger(page) && page >= 1 && page <= pageCount) onPage(page);
    setTyped(undefined);
  };
  return (
    <form onSubmit={onSubmit} className="flex items-center gap-1.5 text-sm text-ink-soft tabular-nums">
      <input
        aria-label="Go to page"
        inputMode="numeric"
        value={typed ?? (pageCount === 0 ? '–' : String(currentPage))}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(undefined)}
        className="h-7 w-10 rounded-md border border-line bg-raised text-center text-sm text-ink"
      />
      <span className="whitespace-nowrap">of {pageCount === 0 ? '–' : pageCount}</span>
    </form>
  );
}
