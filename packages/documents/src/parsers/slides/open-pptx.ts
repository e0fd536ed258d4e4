import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { chartBlocks } from '../chart.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import {
  childElements,
  distinctRelations,
  firstChild,
  openArchive,
  type OfficeArchive,
  type Relation,
  type XmlElement,
} from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { readVml, textIn, type VmlShape } from '../vml.ts';
import { orderShapes, type SlidePlace } from './reading-order.ts';
import { inheritedBy, placeholderOf, slideParagraphs, type SlideBase } from './slide-frames.ts';

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
  const readParts = new Set<string>();
  const firstNumber = Number(archive.xml(main)?.attribs['firstSlideNum'] ?? 1);
  const size = firstChild(archive.xml(main), 'p:sldSz')?.attribs;
  const hide = (texts: readonly string[]): void => {
    hiddenText += texts.reduce((sum, text) => sum + visibleCharacters(text), 0);
  };
  for (const [index, { attribs }] of childElements(list, 'p:sldId').entries()) {
    const path = relations.get(attribs['r:id'] ?? '')?.target;
    const slide = path === undefined ? undefined : archive.xml(path);
    if (path === undefined || slide === undefined) continue;
    if (/^(?:0|false)$/.test(slide.attribs['show'] ?? '')) {
      hide(drawnParagraphs(slide));
      continue;
    }
    const links = archive.relations(path);
    const source: SlideSource = {
      archive,
      relations: links,
      unread,
      number: firstNumber + index,
      base: baseOf(archive, links),
      width: Number(size?.['cx'] ?? Infinity),
      height: Number(size?.['cy'] ?? Infinity),
      hide,
    };
    const shapes = orderShapes([...shapesBehind(slide, source), ...shapesOn(slide, source)]);
    blocks.push({ kind: 'page_break' }, ...shapes.flatMap((shape) => [...shape.blocks, gap]));
    for (const { type, target } of distinctRelations(links, readParts)) {
      // Comments stand beside the slides on a screen, and nowhere on them.
      if (type === 'comments') hide([textIn(archive.xml(target))]);
      if (type !== 'notesSlide') continue;
      const notes = notesOf(archive.xml(target));
      if (notes.length > 0) blocks.push(textBlock('Notes:'), ...notes.map((text) => textBlock(text)), gap);
    }
  }
  return flowDocument(blocks, { hiddenText, unread });
};

/** The layout and the master of a slide. */
function baseOf(archive: OfficeArchive, links: ReadonlyMap<string, Relation>): SlideBase {
  const targetOf = (from: ReadonlyMap<string, Relation>, kind: string): string | undefined =>
    [...from.values()].find(({ type }) => type === kind)?.target;
  const layout = targetOf(links, 'slideLayout');
  const master = layout === undefined ? undefined : targetOf(archive.relations(layout), 'slideMaster');
  return {
    layout: layout === undefined ? undefined : archive.xml(layout),
    master: master === undefined ? undefined : archive.xml(master),
  };
}

/** The shapes of a slide, a layout or a master. */
function shapesOn(slide: XmlElement, source: SlideSource): Shape[] {
  const tree = firstChild(firstChild(slide, 'p:cSld'), 'p:spTree');
  if (tree === undefined) return [];
  numberFields(tree, source.number);
  source.hide(takeUnseenRuns(tree));
  return [...shapesOf(tree, source, 0), ...controlsOn(slide, source)];
}

/** The controls of a slide as they were drawn last. Only the fallback for other programs has their pictures. */
function controlsOn(slide: XmlElement, source: SlideSource): Shape[] {
  const controls = childElements(firstChild(firstChild(slide, 'p:cSld'), 'p:controls')).map((element) =>
    element.name === 'mc:AlternateContent' ? firstChild(element, 'mc:Fallback') : element,
  );
  return controls.flatMap((control) => {
    const picture = firstChild(firstChild(control, 'p:control') ?? control, 'p:pic');
    if (picture === undefined) return [];
    return [{ ...placeOf([firstChild(picture, 'p:spPr')]), blocks: blocksOf(picture, source) }];
  });
}

/** Writes the number of the slide into its fields, which can hold the number that it had elsewhere. */
function numberFields(tree: XmlElement, number: number): void {
  const waiting = [tree];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name !== 'a:fld' || element.attribs['type'] !== 'slidenum') waiting.push(...childElements(element));
    else for (const node of firstChild(element, 'a:t')?.children ?? []) if ('data' in node) node.data = String(number);
  }
}

/** Takes the runs out whose letters nobody sees, since they have neither a colour nor an outline. Returns their texts. */
function takeUnseenRuns(tree: XmlElement): string[] {
  const taken: string[] = [];
  const waiting = [tree];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name !== 'a:r' && element.name !== 'a:fld') waiting.push(...childElements(element));
    else if (isUnseen(firstChild(element, 'a:rPr'))) {
      for (const node of firstChild(element, 'a:t')?.children ?? []) {
        if (!('data' in node)) continue;
        taken.push(node.data);
        node.data = '';
      }
    }
  }
  return taken;
}

function isUnseen(properties: XmlElement | undefined): boolean {
  const line = firstChild(properties, 'a:ln');
  if (line && !firstChild(line, 'a:noFill')) return false;
  if (firstChild(properties, 'a:noFill')) return true;
  const [color] = childElements(firstChild(properties, 'a:solidFill'));
  return /^0+%?$/u.test(firstChild(color, 'a:alpha')?.attribs['val'] ?? '');
}

/** Whether a shape stands beside its slide, where nobody sees it. */
function isBeside({ left, top, width, height }: SlidePlace, slide: SlideSource): boolean {
  const isBefore = (width > 0 && left + width <= 0) || (height > 0 && top + height <= 0);
  return isBefore || left >= slide.width || top >= slide.height;
}

/** The texts that a slide shows of its layout and its master, such as a letterhead. Their pictures are decoration. */
function shapesBehind(slide: XmlElement, slideSource: SlideSource, type = 'slideLayout'): Shape[] {
  if (/^(?:0|false)$/.test(slide.attribs['showMasterSp'] ?? '')) return [];
  const { archive, relations } = slideSource;
  const path = [...relations.values()].find((link) => link.type === type)?.target;
  const behind = path === undefined ? undefined : archive.xml(path);
  if (behind === undefined) return [];
  const source = {
    ...slideSource,
    relations: archive.relations(path!),
    oldShapes: undefined,
    unread: [],
    hide: () => undefined,
    isBehind: true,
  };
  const shapes = shapesOn(behind, source)
    .map((shape) => ({ ...shape, blocks: shape.blocks.filter(({ kind }) => kind !== 'picture') }))
    .filter(({ blocks }) => blocks.some(({ kind }) => kind !== 'gap'));
  return type === 'slideMaster' ? shapes : [...shapesBehind(behind, source, 'slideMaster'), ...shapes];
}

interface Shape extends SlidePlace {
  blocks: Block[];
}

interface SlideSource {
  archive: OfficeArchive;
  relations: ReadonlyMap<string, Relation>;
  unread: UnreadPart[];
  /** The number that the slide shows. */
  number: number;
  base: SlideBase;
  /** The size of the slide. */
  width: number;
  height: number;
  /** Counts texts that nobody sees. */
  hide: (texts: readonly string[]) => void;
  /** Whether this is a layout or a master, of which slides do not show the empty frames for their own texts. */
  isBehind?: boolean;
  /** The shapes of its drawings of before 2010, once they were read. */
  oldShapes?: VmlShape[] | undefined;
}

function shapesOf(tree: XmlElement, source: SlideSource, depth: number): Shape[] {
  if (depth > maxDepth) return [];
  return childElements(tree).flatMap((element): Shape[] => {
    const chosen = element.name === 'mc:AlternateContent' ? firstChild(element, 'mc:Choice') : undefined;
    if (chosen) return shapesOf(chosen, source, depth + 1);
    const properties = childElements(element).find(({ name }) => name.startsWith('p:nv'));
    if (/^(?:1|true)$/.test(firstChild(properties, 'p:cNvPr')?.attribs['hidden'] ?? '')) return [];
    if (source.isBehind && placeholderOf(element)) return [];
    const hidden = (): Shape[] => {
      source.hide(drawnParagraphs(element));
      return [];
    };
    if (element.name === 'p:grpSp') {
      // A group is read as a whole, at its own place.
      const shapes = orderShapes(shapesOf(element, source, depth + 1));
      const place = placeOf([firstChild(element, 'p:grpSpPr')]);
      if (depth === 0 && isBeside(place, source)) return hidden();
      return [{ ...place, blocks: shapes.flatMap(({ blocks }) => [...blocks, gap]) }];
    }
    const blocks = blocksOf(element, source);
    if (blocks.length === 0) return [];
    const own = firstChild(element, 'p:spPr') ?? element;
    const place = placeOf([own, ...inheritedBy(element, source.base).places], isTitle(properties) ? -1 : undefined);
    // Shapes in a group have places in its own measure.
    const isTurned = Number(firstChild(own, 'a:xfrm')?.attribs['rot'] ?? 0) !== 0;
    if (depth === 0 && !isTurned && isBeside(place, source)) return hidden();
    return [{ ...place, blocks }];
  });
}

function isTitle(properties: XmlElement | undefined): boolean {
  const type = firstChild(firstChild(properties, 'p:nvPr'), 'p:ph')?.attribs['type'] ?? '';
  return type.endsWith('itle');
}

/** The place of a shape: its own, or that of a frame that it is based on. One without a place keeps its order in the file. */
function placeOf(properties: readonly (XmlElement | undefined)[], usualTop = 0): SlidePlace {
  const frames = properties.map((each) => firstChild(each, 'a:xfrm') ?? firstChild(each, 'p:xfrm'));
  const frame = frames.find((each) => firstChild(each, 'a:off') !== undefined);
  const { x = 0, y = usualTop } = firstChild(frame, 'a:off')?.attribs ?? {};
  const { cx = 0, cy = 0 } = firstChild(frame, 'a:ext')?.attribs ?? {};
  return { top: Number(y), left: Number(x), height: Number(cy), width: Number(cx) };
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
  if (shape.name === 'p:sp')
    return slideParagraphs(firstChild(shape, 'p:txBody'), inheritedBy(shape, source.base).styles);
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
    source.oldShapes ??= distinctRelations(relations)
      .filter(({ type }) => type === 'vmlDrawing')
      .flatMap(({ target }) => readVml(archive, target));
    return pictureAt(source.oldShapes.find(({ id }) => id === object.attribs['spid'])?.picture, archive);
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
