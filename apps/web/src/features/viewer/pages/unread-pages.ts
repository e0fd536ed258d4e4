import type { DocumentText } from '../../../shared/api/documents-api.ts';

interface UnreadPages {
  /** In ascending order. */
  pages: number[];
  reason: string;
}

/** Groups the pages that could not be read by reason. */
export function unreadPages({ pages }: DocumentText): UnreadPages[] {
  const failed = pages.flatMap(({ page_num, ocr_error }) =>
    ocr_error === undefined ? [] : [{ page: page_num, reason: ocr_error.message }],
  );
  return [...Map.groupBy(failed, ({ reason }) => reason)].map(([reason, group]) => ({
    reason,
    pages: group.map(({ page }) => page),
  }));
}

const maxListed = 8;

/** "Page 3", "Pages 3, 5 and 6", "Pages 1, 2, … and 12 more". */
export function pageListLabel(pages: readonly number[]): string {
  if (pages.length === 1) return `Page ${pages[0]}`;
  if (pages.length > maxListed)
    return `Pages ${pages.slice(0, maxListed).join(', ')} and ${pages.length - maxListed} more`;
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)}`;
}
