import type { UnreadPart } from '../../page/unread.ts';
import { type OfficeArchive } from '../office-archive.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';

/** The texts of shapes and charts on a sheet, and the pictures on it, which are not read. */
export function drawingTexts(archive: OfficeArchive, sheetPath: string): { lines: string[]; unread: UnreadPart[] } {
  const lines: string[] = [];
  const unread: UnreadPart[] = [];
  for (const link of archive.relations(sheetPath).values()) {
    if (link.type !== 'drawing') continue;
    lines.push(...drawnParagraphs(archive.xml(link.target)));
    for (const { type, target } of archive.relations(link.target).values()) {
      if (type === 'chart') lines.push(...drawnParagraphs(archive.xml(target)));
      if (type !== 'image') continue;
      const name = target.slice(target.lastIndexOf('/') + 1);
      unread.push({ kind: 'picture', name, message: 'A picture on this sheet was not read.' });
    }
  }
  return { lines, unread };
}
