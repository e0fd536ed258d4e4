import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { carryMarks, createViewPages, markGrounding, pagesToView } from './page-views.ts';

const page = (page_num: number, confidence?: number, text = 'x') => ({
  page_num,
  text,
  read_by: confidence === undefined ? ('text' as const) : ('ocr' as const),
  ...(confidence !== undefined && { confidence }),
});
const nowhere = { page_num: null, quote: null, boxes: [], match: 'none' as const };
const somewhere = { page_num: 1, quote: '5', boxes: [], match: 'exact' as const };

const notRead = { kind: 'picture' as const, page_num: 2, message: 'Nothing sure was found in it.' };

it('shows pages without text and those with the lowest confidence, eight at most', async () => {
  expect(pagesToView([page(1), page(2, 0.95), page(3, 0.6), page(4, undefined, ' ')])).toEqual([3, 4]);
  expect(
    pagesToView([page(1, 0.99), { ...page(2, 0.99), unread: [notRead] }, { ...page(3), unread: [notRead] }]),
  ).toEqual([2, 3]);
  const many = Array.from({ length: 12 }, (_, at) => page(at + 1, 0.8 - at / 100));
  expect(pagesToView(many)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
});

it('leaves out a page that cannot be drawn', async () => {
  const view = createViewPages(async (number) => {
    if (number === 1) throw new DomainError('conflict', 'page_not_drawn', 'It is damaged.');
    return { url: `page ${number}` };
  });
  expect(await view([page(1, 0.5), page(2, 0.5)])).toEqual([{ page_num: 2, url: 'page 2' }]);
});

it('marks values seen only in images and values that the model doubts, until they change', async () => {
  const marked = await markGrounding({ a: nowhere, b: somewhere }, { uncertain: ['b'], seen: [1] });
  expect(marked).toEqual({ a: { ...nowhere, seen_only: true }, b: { ...somewhere, uncertain: true } });
  expect(await markGrounding({ a: nowhere }, {})).toEqual({ a: nowhere });
  expect(await carryMarks({ a: nowhere, b: somewhere }, marked, (path) => path === 'a')).toEqual({
    a: { ...nowhere, seen_only: true },
    b: somewhere,
  });
});
