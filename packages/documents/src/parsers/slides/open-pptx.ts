import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { chartBlocks } from '../chart.ts';
import { drawnParagraphs, drawnText } from '../drawn-paragraphs.ts';
import { numberText } from '../number-text.ts';
import {
  childElements,
  firstChild,
  openArchive,
  type OfficeArchive,
  type Relation,
  type XmlElement,
} from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { readVml } from '../vml.ts';

/** Groups inside of more groups are not read. */
const maxDepth = 60;

/** A presentation: the shapes of each slide from the top, then its notes. Hidden slides are hidden text. */
export const openPptx: DocumentReader = async (bytes, limits) => {
  const archive = openArchive(bytes, limits.unpackedBytes);
  const main =
    [...archive.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
  const list = firstChild(archive.xml(main), 'p:sldIdLst');
  const relations = archive.relations(main);
  const blocks: Block[] = [];
  const unread: UnreadPart[] = [];
  let hiddenText = 0;
  const firstNumber = Number(archive.xml(main)?.attribs['firstSlideNum'] ?? 1);
  for (const [index, { attribs }] of childElements(list, 'p:sldId').entries()) {
    const path = relations.get(attribs['r:id'] ?? '')?.target;
    const slide = path === undefined ? undefined : archive.xml(path);
    if (path === undefined || slide === undefined) continue;
    if (/^(?:0|false)$/.test(slide.attribs['show'] ?? '')) {
      hiddenText += drawnParagraphs(slide).reduce((sum, text) => sum + visibleCharacters(text), 0);
      continue;
    }
    const source = { archive, relations: archive.relations(path), unread, number: firstNumber + index };
    const shapes = [...shapesBehind(slide, source), ...shapesOn(slide, source)];
    shapes.sort((a, b) => a.top - b.top || a.left - b.left);
    blocks.push({ kind: 'page_break' }, ...shapes.flatMap((shape) => [...shape.blocks, gap]));
    for (const { type, target } of source.relations.values()) {
      if (type !== 'notesSlide') continue;
      const notes = notesOf(archive.xml(target));
      if (notes.length > 0) blocks.push(textBlock('Notes:'), ...notes.map((text) => textBlock(text)), gap);
    }
  }
  return flowDocument(blocks, { hiddenText, unread });
};

/** The shapes of a slide, a layout or a master. */
function shapesOn(slide: XmlElement, source: SlideSource): Shape[] {
  const tree = firstChild(firstChild(slide, 'p:cSld'), 'p:spTree');
  if (tree === undefined) return [];
  numberFields(tree, source.number);
  return shapesOf(tree, source, 0);
}

/** Writes the number of the slide into its fields, which can hold the number that it had elsewhere. */
function numberFields(tree: XmlElement, number: number): void {
  const waiting = [tree];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name !== 'a:fld' || element.attribs['type'] !== 'slidenum') waiting.push(...childElements(element));
    else for (const node of firstChild(element, 'a:t')?.children ?? []) if ('data' in node) node.data = String(number);
  }
}

/** The texts that a slide shows of its layout and its master, such as a letterhead. Their pictures are decoration. */
function shapesBehind(slide: XmlElement, { archive, relations, number }: SlideSource, type = 'slideLayout'): Shape[] {
  if (/^(?:0|false)$/.test(slide.attribs['showMasterSp'] ?? '')) return [];
  const path = [...relations.values()].find((link) => link.type === type)?.target;
  const behind = path === undefined ? undefined : archive.xml(path);
  if (behind === undefined) return [];
  const source = { archive, relations: archive.relations(path!), unread: [], number, isBehind: true };
  const shapes = shapesOn(behind, source)
    .map((shape) => ({ ...shape, blocks: shape.blocks.filter(({ kind }) => kind !== 'picture') }))
    .filter(({ blocks }) => blocks.some(({ kind }) => kind !== 'gap'));
  return type === 'slideMaster' ? shapes : [...shapesBehind(behind, source, 'slideMaster'), ...shapes];
}

interface Shape {
  top: number;
  left: number;
  blocks: Block[];
}

interface SlideSource {
  archive: OfficeArchive;
  relations: ReadonlyMap<string, Relation>;
  unread: UnreadPart[];
  /** The number that the slide shows. */
  number: number;
  /** Whether this is a layout or a master, of which slides do not show the empty frames for their own texts. */
  isBehind?: boolean;
}

function shapesOf(tree: XmlElement, source: SlideSource, depth: number): Shape[] {
  if (depth > maxDepth) return [];
  return childElements(tree).flatMap((element): Shape[] => {
    const chosen = element.name === 'mc:AlternateContent' ? firstChild(element, 'mc:Choice') : undefined;
    if (chosen) return shapesOf(chosen, source, depth + 1);
    const properties = childElements(element).find(({ name }) => name.startsWith('p:nv'));
    if (/^(?:1|true)$/.test(firstChild(properties, 'p:cNvPr')?.attribs['hidden'] ?? '')) return [];
    if (source.isBehind && firstChild(firstChild(properties, 'p:nvPr'), 'p:ph')) return [];
    if (element.name === 'p:grpSp') {
      // A group is read as a whole, at its own place.
      const shapes = shapesOf(element, source, depth + 1).sort((a, b) => a.top - b.top || a.left - b.left);
      return [
        { ...placeOf(firstChild(element, 'p:grpSpPr')), blocks: shapes.flatMap(({ blocks }) => [...blocks, gap]) },
      ];
    }
    const blocks = blocksOf(element, source);
    const place = placeOf(firstChild(element, 'p:spPr') ?? element, isTitle(properties) ? -1 : undefined);
    return blocks.length === 0 ? [] : [{ ...place, blocks }];
  });
}

function isTitle(properties: XmlElement | undefined): boolean {
  const type = firstChild(firstChild(properties, 'p:nvPr'), 'p:ph')?.attribs['type'] ?? '';
  return type.endsWith('itle');
}

/** The corner of a shape. One that takes its place from its layout keeps its place in the order of the file. */
function placeOf(properties: XmlElement | undefined, usualTop = 0): { top: number; left: number } {
  const offset = firstChild(firstChild(properties, 'a:xfrm') ?? firstChild(properties, 'p:xfrm'), 'a:off')?.attribs;
  return { top: Number(offset?.['y'] ?? usualTop), left: Number(offset?.['x'] ?? 0) };
}

const unreadObject = 'An embedded file was not read, only its picture. Save it as a file of its own and upload that.';

/** An embedded object with its picture, which only the fallback for other programs has. */
function embeddedObject(data: XmlElement | undefined): XmlElement | undefined {
  const alternatives = firstChild(data, 'mc:AlternateContent');
  return (
    firstChild(firstChild(alternatives, 'mc:Fallback'), 'p:oleObj') ??
    firstChild(firstChild(alternatives, 'mc:Choice'), 'p:oleObj') ??
    firstChild(data, 'p:oleObj')
  );
}

function blocksOf(shape: XmlElement, source: SlideSource): Block[] {
  const { archive, relations, unread } = source;
  const pathOf = (id: string | undefined): string | undefined => relations.get(id ?? '')?.target;
  if (shape.name === 'p:sp') return slideParagraphs(firstChild(shape, 'p:txBody'));
  if (shape.name === 'p:pic') {
    const path = pathOf(firstChild(firstChild(shape, 'p:blipFill'), 'a:blip')?.attribs['r:embed']);
    const media = firstChild(firstChild(shape, 'p:nvPicPr'), 'p:nvPr');
    if (firstChild(media, 'a:videoFile') ?? firstChild(media, 'a:audioFile')) {
      unread.push({ kind: 'media', message: 'A film or a recording was not read.' });
    }
    return pictureAt(path, archive);
  }
  if (shape.name !== 'p:graphicFrame') return [];
  const data = firstChild(firstChild(shape, 'a:graphic'), 'a:graphicData');
  const table = firstChild(data, 'a:tbl');
  if (table) return [{ kind: 'table', rows: childElements(table, 'a:tr').map(cellsOf) }];
  const object = embeddedObject(data);
  if (object) {
    const name = object.attribs['progId'];
    unread.push({ kind: 'embedded_file', ...(name && { name }), message: unreadObject });
    const picture = firstChild(object, 'p:pic');
    if (picture) return blocksOf(picture, source);
    // Before 2010, PowerPoint drew the picture of an object apart.
    const drawings = [...relations.values()].filter(({ type }) => type === 'vmlDrawing');
    const shapes = drawings.flatMap(({ target }) => readVml(archive, target));
    return pictureAt(shapes.find(({ id }) => id === object.attribs['spid'])?.picture, archive);
  }
  const chart = firstChild(data, 'c:chart');
  if (chart) return chartBlocks(archive.xml(pathOf(chart.attribs['r:id']) ?? ''));
  const part = pathOf(firstChild(data, 'dgm:relIds')?.attribs['r:dm']);
  return part === undefined ? [] : drawnParagraphs(archive.xml(part)).map((text) => textBlock(text));
}

function pictureAt(path: string | undefined, archive: OfficeArchive): Block[] {
  const bytes = path === undefined ? undefined : archive.bytes(path);
  return bytes ? [{ kind: 'picture', bytes, name: path!.slice(path!.lastIndexOf('/') + 1) }] : [];
}

/** The paragraphs of a shape or a cell, with the numbers of its lists. */
function slideParagraphs(body: XmlElement | undefined): Block[] {
  const styles = firstChild(body, 'a:lstStyle');
  const counted: Counted[] = [];
  return childElements(body, 'a:p').flatMap((paragraph): Block[] => {
    const properties = firstChild(paragraph, 'a:pPr');
    const level = Math.min(Math.max(Number(properties?.attribs['lvl'] ?? 0), 0), maxLevel);
    const text = drawnText(paragraph).trim();
    if (text === '') return [];
    const mark = markOf(properties) ?? markOf(firstChild(styles, `a:lvl${level + 1}pPr`));
    const number = mark?.name === 'a:buAutoNum' ? nextNumber(counted, level, mark) : undefined;
    // A paragraph without a number ends the lists of its level and below.
    if (number === undefined) counted.length = Math.min(counted.length, level);
    return [textBlock(number === undefined ? text : `${number} ${text}`, level)];
  });
}

const maxLevel = 8;

interface Counted {
  scheme: string;
  value: number;
}

function markOf(properties: XmlElement | undefined): XmlElement | undefined {
  return childElements(properties).find(({ name }) => /^a:bu(?:None|Char|Blip|AutoNum)$/u.test(name));
}

function nextNumber(counted: Counted[], level: number, { attribs }: XmlElement): string {
  const scheme = attribs['type'] ?? 'arabicPeriod';
  const before = counted[level];
  const first = Number(attribs['startAt'] ?? 1);
  const value = before?.scheme === scheme ? before.value + 1 : first;
  counted.length = level;
  counted[level] = { scheme, value };
  const [, kind = '', sign = ''] = /^(arabic|alphaLc|alphaUc|romanLc|romanUc)(\w*)$/u.exec(scheme) ?? [];
  const text = numberText(value, formats[kind] ?? 'decimal');
  if (sign === 'ParenBoth') return `(${text})`;
  if (sign === 'ParenR') return `${text})`;
  return sign === 'Plain' ? text : `${text}.`;
}

const formats: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
};

function cellsOf(row: XmlElement): TableCell[] {
  return childElements(row, 'a:tc').map((cell) => {
    const isCovered = cell.attribs['hMerge'] === '1' || cell.attribs['vMerge'] === '1';
    return { blocks: isCovered ? [] : slideParagraphs(firstChild(cell, 'a:txBody')) };
  });
}

/** The notes of a slide, without its number and its picture. */
function notesOf(notes: XmlElement | undefined): string[] {
  const shapes = childElements(firstChild(firstChild(notes, 'p:cSld'), 'p:spTree'), 'p:sp');
  return shapes
    .filter(
      (shape) => firstChild(firstChild(firstChild(shape, 'p:nvSpPr'), 'p:nvPr'), 'p:ph')?.attribs['type'] === 'body',
    )
    .flatMap((shape) => drawnParagraphs(shape));
}
