import { gap, textBlock, type Block } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
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
import { isOpaque } from '../drawing/opaque-drawing.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { textIn } from '../vml.ts';
import { readableContent } from './flat-shapes.ts';
import { orderShapes, type SlidePlace } from './reading-order.ts';
import { blocksOf, filledPicture, type SlideSource } from './shape-content.ts';
import { inheritedBy, placeholderOf, placeOf, type SlideBase } from './slide-frames.ts';
import { takeUnseenRuns, themeColors } from './unseen-text.ts';

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
  const listed = childElements(list, 'p:sldId').map(({ attribs }) => relations.get(attribs['r:id'] ?? '')?.target);
  for (const [index, path] of [...new Set(listed)].entries()) {
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
      base: baseOf(archive, slide, links),
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
  return flowDocument(blocks, { hiddenText, unread: [...unread, ...archive.unread] });
};

/** The layout and the master of a slide, with the colours of their theme. */
function baseOf(archive: OfficeArchive, slide: XmlElement, links: ReadonlyMap<string, Relation>): SlideBase {
  const targetOf = (from: ReadonlyMap<string, Relation>, kind: string): string | undefined =>
    [...from.values()].find(({ type }) => type === kind)?.target;
  const layout = targetOf(links, 'slideLayout');
  const master = layout === undefined ? undefined : targetOf(archive.relations(layout), 'slideMaster');
  const ofMaster = master === undefined ? undefined : targetOf(archive.relations(master), 'theme');
  const ofLayout = layout === undefined ? undefined : targetOf(archive.relations(layout), 'themeOverride');
  // A slide or a layout can have colours of its own in place of its theme's.
  const theme = targetOf(links, 'themeOverride') ?? ofLayout ?? ofMaster;
  const root = master === undefined ? undefined : archive.xml(master);
  const layoutRoot = layout === undefined ? undefined : archive.xml(layout);
  // A slide or a layout can exchange the colours, such as dark for light.
  const [ownNames] = [slide, layoutRoot].flatMap(
    (each) => firstChild(firstChild(each, 'p:clrMapOvr'), 'a:overrideClrMapping') ?? [],
  );
  const names = ownNames ?? firstChild(root, 'p:clrMap');
  return {
    layout: layoutRoot,
    master: root,
    colors: themeColors(theme === undefined ? undefined : archive.xml(theme), names),
    opaqueFills: opaqueFills(ofMaster === undefined ? undefined : archive.xml(ofMaster)),
  };
}

function opaqueFills(theme: XmlElement | undefined): Set<number> {
  const format = firstChild(firstChild(theme, 'a:themeElements'), 'a:fmtScheme');
  const fills = childElements(firstChild(format, 'a:fillStyleLst'));
  return new Set(fills.flatMap((fill, at) => (isOpaque(fill) ? [at + 1] : [])));
}

/** The shapes of a slide, a layout or a master. */
function shapesOn(slide: XmlElement, source: SlideSource): Shape[] {
  const tree = firstChild(firstChild(slide, 'p:cSld'), 'p:spTree');
  if (tree === undefined) return [];
  numberFields(tree, source.number);
  source.hide(takeUnseenRuns(slide, source));
  return [...backgroundOf(slide, source), ...shapesOf(tree, source, 0), ...controlsOn(slide, source)];
}

/** The picture that a slide has as its background, such as a scanned page. */
function backgroundOf(slide: XmlElement, source: SlideSource): Shape[] {
  const background = firstChild(firstChild(firstChild(slide, 'p:cSld'), 'p:bg'), 'p:bgPr');
  const blocks = filledPicture(background, source);
  return blocks.length > 0 ? [{ top: -Infinity, left: 0, height: 0, width: 0, blocks }] : [];
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

function shapesOf(tree: XmlElement, source: SlideSource, depth: number): Shape[] {
  if (depth > maxDepth) return [];
  return childElements(tree).flatMap((element): Shape[] => {
    if (element.name === 'mc:AlternateContent') return shapesOf(readableContent(element), source, depth + 1);
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

/** The notes of a slide, without its number and its picture. */
function notesOf(notes: XmlElement | undefined): string[] {
  const shapes = childElements(firstChild(firstChild(notes, 'p:cSld'), 'p:spTree'), 'p:sp');
  return shapes
    .filter(
      (shape) => firstChild(firstChild(firstChild(shape, 'p:nvSpPr'), 'p:nvPr'), 'p:ph')?.attribs['type'] === 'body',
    )
    .flatMap((shape) => drawnParagraphs(shape));
}
