import { gap, textBlock, type Block } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { chartBlocks } from '../charts/chart.ts';
import { diagramBlocks } from '../charts/diagram.ts';
import { childElements, firstChild, type OfficeArchive, type Relation, type XmlElement } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { textIn } from '../vml.ts';
import { isCovered } from './covered-boxes.ts';

/** What a drawing needs of the part that contains it. */
export interface DrawingSource {
  archive: OfficeArchive;
  relations: ReadonlyMap<string, Relation>;
  /** Reads the content of a text box. `isFilled`: the box has a colour of its own. */
  readTextBox: (content: XmlElement, isFilled: boolean) => Block[];
  note: (part: UnreadPart) => void;
  countHidden: (characters: number) => void;
}

/** Texts and pictures of a drawing: text boxes, WordArt, charts, diagrams, in the order of their shapes. */
export function readDrawing(drawing: XmlElement, source: DrawingSource): Block[] {
  const { archive, relations } = source;
  const blocks: Block[] = [];
  let isFilled = false;
  let canBeStyled = false;
  const targetOf = (id: string | undefined): string | undefined => relations.get(id ?? '')?.target;
  const addPicture = (path: string | undefined): void => {
    const bytes = path === undefined ? undefined : archive.bytes(path);
    const name = path?.slice(path.lastIndexOf('/') + 1) ?? 'picture';
    if (bytes) blocks.push({ kind: 'picture', bytes, name });
    else source.note({ kind: 'picture', name, message: 'A picture was not read: it is not stored in the file.' });
  };
  const waiting = [drawing];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const { attribs } = element;
    if (element.name === 'wp:anchor' && (isOffPage(element) || isCovered(element, source))) {
      source.countHidden(visibleCharacters(textIn(firstChild(element, 'a:graphic'))));
      return [];
    }
    switch (element.name) {
      case 'wp:docPr':
        if (/^(?:1|true)$/.test(attribs['hidden'] ?? '')) return [];
        continue;
      case 'w:txbxContent':
        blocks.push(gap, ...source.readTextBox(element, isFilled), gap);
        continue;
      case 'wps:spPr':
        isFilled = childElements(element).some(({ name }) => fills.test(name));
        canBeStyled = !isFilled && firstChild(element, 'a:noFill') === undefined;
        if (fillOf(element)) addPicture(targetOf(fillOf(element)));
        continue;
      case 'wps:style':
        // A drawn shape has a colour of the theme, unless it says another.
        if (canBeStyled) isFilled = Number(firstChild(element, 'a:fillRef')?.attribs['idx'] ?? 0) > 0;
        continue;
      case 'a:blip':
        addPicture(targetOf(attribs['r:embed'] ?? attribs['r:link']));
        continue;
      case 'v:imagedata':
        addPicture(targetOf(attribs['r:id'] ?? attribs['r:pict']));
        continue;
      case 'v:fill':
        if (attribs['r:id'] !== undefined) addPicture(targetOf(attribs['r:id']));
        continue;
      case 'v:textpath':
        if (attribs['string']) blocks.push(textBlock(attribs['string']));
        continue;
      case 'c:chart':
      case 'cx:chart':
        blocks.push(...chartBlocks(archive.xml(targetOf(attribs['r:id']) ?? '')));
        continue;
      case 'dgm:relIds':
        blocks.push(...diagramBlocks(archive.xml(targetOf(attribs['r:dm']) ?? '')));
        continue;
      case 'o:OLEObject':
        source.note({
          kind: 'embedded_file',
          ...(attribs['ProgID'] ? { name: attribs['ProgID'] } : {}),
          message: 'An embedded file was not read, only its picture. Save it as a file of its own and upload that.',
        });
        continue;
      case 'mc:AlternateContent':
        waiting.push(...[chosenContent(element) ?? []].flat());
        continue;
      default:
        if (/^v:(?:shape|rect|roundrect|oval)$/.test(element.name)) {
          if (/visibility\s*:\s*hidden/.test(attribs['style'] ?? '')) continue;
          isFilled = attribs['fillcolor'] !== undefined && !/^(?:white|#fff(?:fff)?)\b/i.test(attribs['fillcolor']);
        }
        waiting.push(...childElements(element).reverse());
    }
  }
  return blocks;
}

/** The picture that fills a shape. */
function fillOf(properties: XmlElement): string | undefined {
  const { 'r:embed': embedded, 'r:link': linked } =
    firstChild(firstChild(properties, 'a:blipFill'), 'a:blip')?.attribs ?? {};
  return embedded ?? linked;
}

/** In the units of a drawing, of which an inch has 914,400. */
const largeSide = 2_000_000;

/** Whether a large picture or filled shape of a part lies behind or before its text, so that letters of any colour can be seen on it. */
export function hasArtBehindText(root: XmlElement | undefined): boolean {
  const waiting = root === undefined ? [] : [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'wp:anchor' && firstChild(element, 'wp:wrapNone') !== undefined) {
      const { cx = 0, cy = 0 } = firstChild(element, 'wp:extent')?.attribs ?? {};
      if (Number(cx) >= largeSide && Number(cy) >= largeSide && isPainted(element)) return true;
    }
    waiting.push(...childElements(element));
  }
  return false;
}

function isPainted(drawing: XmlElement): boolean {
  const waiting = [drawing];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'a:blip') return true;
    if (element.name === 'wps:spPr' && childElements(element).some(({ name }) => fills.test(name))) return true;
    if (element.name === 'a:fillRef' && Number(element.attribs['idx'] ?? 0) > 0) return true;
    waiting.push(...childElements(element));
  }
  return false;
}

const fills = /^a:(?:solid|grad|blip|patt|grp)Fill$/;

/**
 * The content that current programs show: the first choice, or the fallback of one that has none. What is written by hand is a picture in
 * the fallback alone.
 */
export function chosenContent(alternatives: XmlElement): XmlElement | undefined {
  const chosen = firstChild(alternatives, 'mc:Choice');
  const [frame] = childElements(firstChild(chosen, 'w:drawing'));
  const isWritten = firstChild(firstChild(firstChild(frame, 'a:graphic'), 'a:graphicData'), 'w14:contentPart');
  return (isWritten ? undefined : chosen) ?? firstChild(alternatives, 'mc:Fallback');
}

/** The largest page of Word, 22 inches, in EMU. */
const largestPage = 20_116_800;
/** A side of A3, the largest common page: from no place of such a page a drawing is moved further back onto it. */
const commonPage = 15_200_000;
/** The widest margin, in EMU. */
const widestMargin = 3_200_000;

/** Whether a drawing stands beside, above or below every page. */
function isOffPage(anchor: XmlElement): boolean {
  const extent = firstChild(anchor, 'wp:extent')?.attribs;
  return (['H', 'V'] as const).some((axis) => {
    const position = firstChild(anchor, `wp:position${axis}`);
    const [offset] = firstChild(position, 'wp:posOffset')?.children ?? [];
    if (offset === undefined || !('data' in offset)) return false;
    const start = Number(offset.data);
    const end = start + Number(extent?.[axis === 'H' ? 'cx' : 'cy'] ?? largestPage);
    const from = position?.attribs['relativeFrom'] ?? '';
    if (start >= largestPage || end <= -commonPage) return true;
    return end <= (from === 'page' ? 0 : /^(?:margin|(?:left|top)Margin)$/.test(from) ? -widestMargin : -Infinity);
  });
}
