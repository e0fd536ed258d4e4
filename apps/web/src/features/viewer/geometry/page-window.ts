import type { PageSize } from './zoom.ts';

/** Where the small pictures of pages stand in their list, in pixels. */
export interface PageRows {
  /** Top of each page's row, and the height of them all as the last entry. */
  tops: number[];
  /** Heights of the pictures alone. */
  heights: number[];
}

/** Rows of pictures of one width, `around` pixels for label and gap with each. */
export function pageRows(pages: PageSize[], width: number, around: number): PageRows {
  const heights = pages.map((page) => Math.round((width * page.height) / page.width));
  const tops = [0];
  for (const height of heights) tops.push(tops.at(-1)! + height + around);
  return { tops, heights };
}

/** Indexes of the rows that a window shows, from the first to behind the last, with a few beyond it on either side. */
export function rowsInSight({ tops, heights }: PageRows, top: number, height: number): { from: number; to: number } {
  const beyond = 3;
  const after = tops.findIndex((start) => start > top);
  const below = tops.findIndex((start) => start >= top + height);
  const [from, to] = [after < 0 ? heights.length : after - 1, below < 0 ? heights.length : below];
  return { from: Math.max(0, from - beyond), to: Math.min(heights.length, to + beyond) };
}
