import type { Extraction, Grounding } from '@docwright/contract';

export type PageBox = Grounding['boxes'][number];

/** One place on a page that belongs to a field. */
export interface Mark {
  path: string;
  box: PageBox;
  match: Grounding['match'];
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** CSS percentages of the displayed page, valid at every zoom, rotation and crop. */
export function boxStyle(box: PageBox): { left: string; top: string; width: string; height: string } {
  const [left, right] = [clamp(Math.min(box.x0, box.x1)), clamp(Math.max(box.x0, box.x1))];
  const [top, bottom] = [clamp(Math.min(box.y0, box.y1)), clamp(Math.max(box.y0, box.y1))];
  const percent = (value: number) => `${(value * 100).toFixed(3)}%`;
  return { left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) };
}

/** The marks of an extraction by page number; small ones come last, so that they are on top. */
export function marksByPage(grounding: Extraction['grounding']): Map<number, Mark[]> {
  const pages = new Map<number, Mark[]>();
  for (const [path, { boxes, match }] of Object.entries(grounding)) {
    for (const box of boxes) {
      const marks = pages.get(box.page_num) ?? [];
      marks.push({ path, box, match });
      pages.set(box.page_num, marks);
    }
  }
  for (const marks of pages.values()) marks.sort((a, b) => areaOf(b.box) - areaOf(a.box));
  return pages;
}

const areaOf = (box: PageBox) => Math.abs((box.x1 - box.x0) * (box.y1 - box.y0));

/** The box around all boxes on the first page that has any; undefined without boxes. */
export function enclosingBox(grounding: Grounding | undefined): PageBox | undefined {
  const [first] = grounding?.boxes ?? [];
  if (!first) return undefined;
  const onPage = grounding!.boxes.filter((box) => box.page_num === first.page_num);
  return {
    page_num: first.page_num,
    x0: Math.min(...onPage.map((box) => box.x0)),
    y0: Math.min(...onPage.map((box) => box.y0)),
    x1: Math.max(...onPage.map((box) => box.x1)),
    y1: Math.max(...onPage.map((box) => box.y1)),
  };
}

interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The scroll position that shows a box a third from the top; `page` is the page's place in the scrolled content and
 * `view` the visible part, all in pixels. An axis on which the box is visible does not change.
 */
export function scrollTarget(box: PageBox, page: Rect, view: Rect): { left: number; top: number } {
  const margin = 24;
  const searchBarMargin = 60;
  const axis = (low: number, high: number, start: number, size: number, distance: number, startMargin = margin) => {
    const visible = low >= start + startMargin && high <= start + size - margin;
    return visible ? start : Math.max(0, low - distance);
  };
  return {
    left: axis(
      page.left + box.x0 * page.width,
      page.left + box.x1 * page.width,
      view.left,
      view.width,
      view.width * 0.2,
    ),
    // The search bar covers the upper edge.
    top: axis(
      page.top + box.y0 * page.height,
      page.top + box.y1 * page.height,
      view.top,
      view.height,
      view.height / 3,
      searchBarMargin,
    ),
  };
}
