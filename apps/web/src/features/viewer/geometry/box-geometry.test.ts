import { describe, expect, it } from 'vitest';
import { boxStyle, enclosingBox, marksByPage, scrollTarget } from './box-geometry.ts';

const box = (page_num: number, x0: number, y0: number, x1: number, y1: number) => ({ page_num, x0, y0, x1, y1 });

describe('boxStyle', () => {
  it('converts fractions to percentages within the page', () => {
    expect(boxStyle(box(1, 0.1, 0.25, 0.4, 0.5))).toEqual({
      left: '10.000%',
      top: '25.000%',
      width: '30.000%',
      height: '25.000%',
    });
    expect(boxStyle(box(1, -0.2, 0.9, 1.3, 1.2))).toEqual({
      left: '0.000%',
      top: '90.000%',
      width: '100.000%',
      height: '10.000%',
    });
  });
});

describe('marksByPage', () => {
  it('groups boxes by page and puts small boxes over large ones', () => {
    const pages = marksByPage({
      inner: { page_num: 1, quote: 'a', match: 'exact', boxes: [box(1, 0.2, 0.2, 0.3, 0.3)] },
      outer: {
        page_num: 1,
        quote: 'b',
        match: 'fuzzy',
        boxes: [box(1, 0, 0, 1, 1), box(2, 0, 0, 0.5, 0.1)],
      },
      nowhere: { page_num: null, quote: null, match: 'none', boxes: [] },
    });
    expect([...pages.keys()]).toEqual([1, 2]);
    expect(pages.get(1)?.map(({ path }) => path)).toEqual(['outer', 'inner']);
    expect(pages.get(2)?.map(({ path }) => path)).toEqual(['outer']);
  });
});

describe('enclosingBox', () => {
  it('encloses all boxes of the first page', () => {
    const boxes = [box(2, 0.5, 0.1, 0.9, 0.2), box(2, 0.1, 0.2, 0.4, 0.3), box(3, 0, 0, 1, 1)];
    expect(enclosingBox({ page_num: 2, quote: 'x', match: 'exact', boxes })).toEqual(box(2, 0.1, 0.1, 0.9, 0.3));
    expect(enclosingBox({ page_num: null, quote: null, match: 'none', boxes: [] })).toBeUndefined();
  });
});

describe('scrollTarget', () => {
  const page = { left: 16, top: 1000, width: 600, height: 800 };

  it('scrolls to a distant box, a third from the top', () => {
    const target = scrollTarget(box(2, 0.1, 0.5, 0.2, 0.52), page, { left: 0, top: 0, width: 640, height: 600 });
    expect(target).toEqual({ left: 0, top: 1000 + 400 - 200 });
  });

  it('does not scroll to a visible box', () => {
    const view = { left: 0, top: 1200, width: 640, height: 600 };
    expect(scrollTarget(box(2, 0.1, 0.5, 0.2, 0.52), page, view)).toEqual({ left: 0, top: 1200 });
  });
});
