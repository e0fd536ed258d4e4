import type { Block, TableCell } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { chartBlocks } from '../charts/chart.ts';
import { diagramBlocks } from '../charts/diagram.ts';
import {
  childElements,
  distinctRelations,
  firstChild,
  type OfficeArchive,
  type Relation,
  type XmlElement,
} from '../office-archive.ts';
import { readVml, type VmlShape } from '../vml.ts';
import { inheritedBy, slideParagraphs, type SlideBase } from './slide-frames.ts';

/** What the content of a shape needs of its slide. */
export interface SlideSource {
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

/** What is read of one shape that is no group. */
export function blocksOf(shape: XmlElement, source: SlideSource): Block[] {
  const { archive, relations, unread } = source;
  const pathOf = (id: string | undefined): string | undefined => relations.get(id ?? '')?.target;
  if (shape.name === 'p:sp') {
    const texts = slideParagraphs(firstChild(shape, 'p:txBody'), inheritedBy(shape, source.base).styles);
    return [...filledPicture(firstChild(shape, 'p:spPr'), source), ...texts];
  }
  if (shape.name === 'p:pic') {
    const media = firstChild(firstChild(shape, 'p:nvPicPr'), 'p:nvPr');
    if (firstChild(media, 'a:videoFile') ?? firstChild(media, 'a:audioFile')) {
      unread.push({ kind: 'media', message: 'A film or a recording was not read.' });
    }
    return pictureOf(firstChild(firstChild(shape, 'p:blipFill'), 'a:blip'), source);
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
  const chart = firstChild(data, 'c:chart') ?? firstChild(data, 'cx:chart');
  if (chart) return chartBlocks(archive.xml(pathOf(chart.attribs['r:id']) ?? ''));
  return diagramBlocks(archive.xml(pathOf(firstChild(data, 'dgm:relIds')?.attribs['r:dm']) ?? ''));
}

/** The picture that fills a shape or a slide. */
export function filledPicture(properties: XmlElement | undefined, source: SlideSource): Block[] {
  return pictureOf(firstChild(firstChild(properties, 'a:blipFill'), 'a:blip'), source);
}

function pictureOf(blip: XmlElement | undefined, { archive, relations, unread }: SlideSource): Block[] {
  const target = relations.get(blip?.attribs['r:embed'] ?? blip?.attribs['r:link'] ?? '')?.target;
  const read = pictureAt(target, archive);
  if (read.length === 0 && target !== undefined) {
    const name = target.slice(target.lastIndexOf('/') + 1);
    unread.push({ kind: 'picture', name, message: 'A picture was not read: it is not stored in the file.' });
  }
  return read;
}

function pictureAt(path: string | undefined, archive: OfficeArchive): Block[] {
  const bytes = path === undefined ? undefined : archive.bytes(path);
  return bytes ? [{ kind: 'picture', bytes, name: path!.slice(path!.lastIndexOf('/') + 1) }] : [];
}

function cellsOf(row: XmlElement): TableCell[] {
  return childElements(row, 'a:tc').map((cell) => {
    const isCovered = isOn(cell.attribs['hMerge']) || isOn(cell.attribs['vMerge']);
    return { blocks: isCovered ? [] : slideParagraphs(firstChild(cell, 'a:txBody')) };
  });
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
