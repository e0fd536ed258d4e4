import { textBlock, type Block, type PictureBlock } from '../../flow/block.ts';
import { layOutBlocks } from '../../flow/block-lines.ts';
import { tableRows } from '../../grid/table-lines.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { readChart } from '../charts/chart.ts';
import { diagramBlocks } from '../charts/diagram.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { childElements, distinctRelations, type OfficeArchive } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { readVml, textIn, type VmlShape } from '../vml.ts';
import { rangeOf } from './read-sheet.ts';

/** What is drawn over the cells of a sheet. */
export interface SheetDrawings {
  /** Texts of shapes, controls, charts, comments that stay open, and drawn pictures. */
  lines: string[];
  /** The pictures that have to be recognised. */
  pictures: PictureBlock[];
  /** Characters of comments that are shown on demand. */
  hiddenText: number;
  unread: UnreadPart[];
}

/** Reads what is drawn over the cells of a sheet. `readParts`: the parts that sheets before it name, for comments. */
export function readSheetDrawings(archive: OfficeArchive, sheetPath: string, readParts: Set<string>): SheetDrawings {
  const named = archive.relations(sheetPath);
  const relations = distinctRelations(named);
  const newRelations = distinctRelations(named, readParts);
  const targets = (type: string): string[] =>
    relations.filter((link) => link.type === type).map(({ target }) => target);
  const blocks: Block[] = [];
  const images = new Set<string>();
  const drawnParts = new Set<string>();
  for (const path of targets('drawing')) {
    blocks.push(...drawnParagraphs(archive.xml(path)).map((text) => textBlock(text)));
    for (const { type, target } of distinctRelations(archive.relations(path), drawnParts)) {
      if (type === 'image') images.add(target);
      if (type === 'diagramData') blocks.push(...diagramBlocks(archive.xml(target)));
      if (type !== 'chart' && type !== 'chartEx') continue;
      const { texts, rows } = readChart(archive.xml(target));
      for (const line of [...texts, ...tableRows(rows).map((row) => row.line)]) blocks.push(textBlock(line));
    }
  }
  const shapes = targets('vmlDrawing').flatMap((path) => readVml(archive, path));
  for (const { picture, isVisible } of shapes) if (picture !== undefined && isVisible) images.add(picture);
  for (const path of targets('image')) images.add(path);
  const drawn = new Set(blocks.map((block) => (block.kind === 'text' ? block.text : '')));
  // A control is often in both kinds of drawings.
  const controls = shapes.filter(({ kind, isVisible }) => kind !== 'Note' && isVisible).flatMap(({ texts }) => texts);
  blocks.push(...controls.filter((text) => !drawn.has(text)).map((text) => textBlock(text)));
  const comments = newRelations
    .filter(({ type }) => type === 'comments')
    .flatMap(({ target }) => readComments(archive, target, shapes));
  blocks.push(...comments.flatMap(({ text, isOpen }) => (isOpen ? [textBlock(text)] : [])));
  for (const path of images) {
    const bytes = archive.bytes(path);
    if (bytes) blocks.push({ kind: 'picture', bytes, name: path.slice(path.lastIndexOf('/') + 1) });
  }
  const parts = layOutBlocks(blocks);
  const isUnread = ({ type }: { type: string }): boolean => type === 'oleObject' || type === 'package';
  return {
    lines: parts.flatMap((part) => (part.kind === 'lines' ? part.lines : [])),
    hiddenText: comments.reduce((sum, { text, isOpen }) => sum + (isOpen ? 0 : visibleCharacters(text)), 0),
    pictures: parts.filter((part) => part.kind === 'picture'),
    unread: relations.filter(isUnread).map(() => ({
      kind: 'embedded_file',
      message: 'A file in this sheet was not read. Save it and upload that.',
    })),
  };
}

/** The comments of a sheet. Some stay open beside their cells, the others are shown on demand. */
function readComments(
  archive: OfficeArchive,
  path: string,
  shapes: readonly VmlShape[],
): { text: string; isOpen: boolean }[] {
  const open = new Set(
    shapes.filter(({ kind, isVisible }) => kind === 'Note' && isVisible).map(({ row, column }) => `${row},${column}`),
  );
  const list = childElements(archive.xml(path), 'commentList')[0];
  return childElements(list, 'comment').flatMap((comment) => {
    const place = rangeOf(comment.attribs['ref'] ?? '');
    const text = textIn(childElements(comment, 'text')[0]).trim();
    const isOpen = place !== undefined && open.has(`${place.top},${place.left}`);
    return text === '' ? [] : [{ text, isOpen }];
  });
}
