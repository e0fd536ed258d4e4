import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  PanelLeft,
  Search,
  SquareDashedMousePointer,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Menu, MenuChoice, MenuChoices } from '../../../shared/ui/menu.tsx';
import type { PagePick } from '../../../shared/values/page-pick.tsx';
import { nextZoom, zoomChoices, zoomLabel, type Zoom } from '../geometry/zoom.ts';

interface ViewerToolbarProps {
  currentPage: number;
  pageCount: number;
  onPage: (page: number) => void;
  onSearch: () => void;
  /** Whether the thumbnails are shown. */
  thumbnails?: boolean;
  /** Undefined for a document with one page. */
  onThumbnails?: ((shown: boolean) => void) | undefined;
  zoom?: Zoom;
  /** The current zoom factor; 1 is the paper's own size, undefined before it is known. */
  zoomFactor?: number | undefined;
  /** Absent if the document cannot be zoomed. */
  onZoom?: (zoom: Zoom) => void;
  /** Present if words can be taken from the page. */
  pick?: PagePick | undefined;
}

export function ViewerToolbar(props: ViewerToolbarProps) {
  const {
    currentPage,
    pageCount,
    onPage,
    onSearch,
    thumbnails = false,
    onThumbnails,
    zoom,
    zoomFactor,
    onZoom,
    pick,
  } = props;
  return (
    <div
      role="toolbar"
      aria-label="Page"
      className="@container flex h-10 shrink-0 items-center gap-1 border-b border-line bg-surface px-2"
    >
      {onThumbnails && (
        <IconButton
          label={thumbnails ? 'Hide the thumbnails' : 'Show the thumbnails'}
          aria-pressed={thumbnails}
          onClick={() => onThumbnails(!thumbnails)}
          className="aria-pressed:bg-hover"
        >
          <PanelLeft className="size-4" />
        </IconButton>
      )}
      {/* A narrow toolbar leaves out what its page number, its other buttons and keys do as well. */}
      <IconButton
        label="Previous page"
        disabled={currentPage <= 1}
        onClick={() => onPage(currentPage - 1)}
        className="@max-xs:hidden"
      >
        <ChevronLeft className="size-4" />
      </IconButton>
      <PageNumber currentPage={currentPage} pageCount={pageCount} onPage={onPage} />
      <IconButton
        label="Next page"
        disabled={currentPage >= pageCount}
        onClick={() => onPage(currentPage + 1)}
        className="@max-xs:hidden"
      >
        <ChevronRight className="size-4" />
      </IconButton>
      <div className="ml-auto flex items-center gap-1">
        {pick && (
          <Button
            size="small"
            look="quiet"
            aria-pressed={pick.isArmed}
            onClick={pick.arm}
            className="aria-pressed:bg-hover"
          >
            <SquareDashedMousePointer aria-hidden className="size-4" />
            <span className="@max-lg:sr-only">Take from page</span>
            <span className="@max-sm:hidden">
              <KeyCap name="b" />
            </span>
          </Button>
        )}
        {onZoom && <ZoomButtons zoom={zoom ?? 'width'} zoomFactor={zoomFactor} onZoom={onZoom} />}
        <IconButton label="Search in the document" hint="Ctrl F" onClick={onSearch}>
          <Search className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}

interface ZoomButtonsProps {
  zoom: Zoom;
  zoomFactor: number | undefined;
  onZoom: (zoom: Zoom) => void;
}

function ZoomButtons({ zoom, zoomFactor, onZoom }: ZoomButtonsProps) {
  const label = zoomFactor === undefined ? '–' : zoomLabel(zoomFactor);
  return (
    <>
      <IconButton label="Zoom out" hint="Ctrl −" onClick={() => onZoom(nextZoom(zoomFactor ?? 1, -1))}>
        <ZoomOut className="size-4" />
      </IconButton>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`Zoom: ${label}`}
            className="inline-flex h-7 w-16 items-center @max-sm:hidden justify-center gap-1 rounded-md text-xs text-ink-soft tabular-nums hover:bg-hover hover:text-ink"
          >
            {label}
            <ChevronDown aria-hidden className="size-3.5 text-ink-faint" />
          </button>
        }
      >
        <MenuChoices
          value={String(zoom)}
          onValueChange={(value) => onZoom(value === 'width' || value === 'page' ? value : Number(value))}
        >
          <MenuChoice value="width">Fit the width</MenuChoice>
          <MenuChoice value="page">Fit the page</MenuChoice>
          {zoomChoices.map((choice) => (
            <MenuChoice key={choice} value={String(choice)}>
              {zoomLabel(choice)}
            </MenuChoice>
          ))}
        </MenuChoices>
      </Menu>
      <IconButton label="Zoom in" hint="Ctrl +" onClick={() => onZoom(nextZoom(zoomFactor ?? 1, 1))}>
        <ZoomIn className="size-4" />
      </IconButton>
    </>
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
