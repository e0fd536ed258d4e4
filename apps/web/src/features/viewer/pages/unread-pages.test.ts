import { expect, it } from 'vitest';
import { pageListLabel, unreadPages } from './unread-pages.ts';

it('groups unread pages by reason', () => {
  const damaged = { code: 'damaged_page', message: 'Scan it again.' };
  const text = (page_num: number, ocr_error?: typeof damaged) => ({
    page_num,
    text: '',
    ...(ocr_error ? { ocr_error } : {}),
  });
  const slow = { code: 'ocr_timeout', message: 'It took too long.' };
  expect(unreadPages({ pages: [text(1), text(2, damaged), text(3, slow), text(4, damaged)] })).toEqual([
    { pages: [2, 4], reason: 'Scan it again.' },
    { pages: [3], reason: 'It took too long.' },
  ]);
});

it('lists page numbers in words', () => {
  expect(pageListLabel([3])).toBe('Page 3');
  expect(pageListLabel([3, 5, 6])).toBe('Pages 3, 5 and 6');
  expect(pageListLabel(Array.from({ length: 20 }, (_, index) => index + 1))).toBe(
    'Pages 1, 2, 3, 4, 5, 6, 7, 8 and 12 more',
  );
});
