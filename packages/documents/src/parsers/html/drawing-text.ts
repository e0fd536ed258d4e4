import type { XmlElement, XmlNode } from '../office-archive.ts';
import type { Look } from './look.ts';
import { isSeen } from './look.ts';
import { lengthOf } from './lengths.ts';
import type { Declarations } from './style-sheet.ts';

/** The reader of the page that contains a drawing. */
interface DrawingHost {
  lookOf(element: XmlElement, parent: Look): { look: Look; declared: Declarations };
  /** Counts a node that is not seen. */
  hide(node: XmlNode): void;
  /** Adds a text of the drawing. */
  text(text: string): void;
  /** Reads a part of a page that stands in the drawing. */
  page(element: XmlElement, look: Look): void;
}

/** Elements that hold what other elements draw, or what is not drawn. */
const notDrawn =
  /^(?:defs|symbol|clippath|mask|pattern|marker|metadata|title|desc|script|style|(?:linear|radial)gradient|filter)$/;
const maxDepth = 100;
/** A drawing can use one of its parts as often as it likes. */
const maxUses = 200;
/** Elements that are read again because they are used. */
const maxUsed = 5_000;

/** Reads the texts of a drawing (SVG) that are seen, each at a place of its own. */
export function readDrawingTexts(drawing: XmlElement, around: Look, host: DrawingHost): void {
  const byId = new Map<string, XmlElement>();
  let uses = 0;
  let used = 0;
  let inside = 0;
  let reach = far;
  const read = (nodes: XmlElement['children'], look: Look, isPainted: boolean, depth: number): void => {
    if (depth > maxDepth) return;
    for (const element of nodes) {
      if (!('attribs' in element)) continue;
      if (inside > 0) used += 1;
      if (inside > 0 && used > maxUsed) return;
      if (notDrawn.test(element.name)) continue;
      const own = host.lookOf(element, look);
      const isOwnPainted = isPaintedBy(element, own.declared, isPainted);
      if (own.look.isGone || isHidden(element) || isEmptied(element) || isBeside(element, reach)) host.hide(element);
      else if (element.name === 'use') {
        const target = byId.get((element.attribs['href'] ?? element.attribs['xlink:href'] ?? '').replace(/^#/, ''));
        uses += 1;
        if (target === undefined || uses > maxUses) continue;
        inside += 1;
        read(notDrawn.test(target.name) ? target.children : [target], own.look, isOwnPainted, depth + 1);
        inside -= 1;
      } else if (element.name === 'foreignobject') host.page(element, own.look);
      else if (element.name !== 'text') read(element.children, own.look, isOwnPainted, depth + 1);
      else host.text(textOf(element, own.look, isOwnPainted, 0).trim());
    }
  };
  /** A text with spaces before parts that stand elsewhere. */
  const textOf = (element: XmlElement, look: Look, isPainted: boolean, depth: number): string => {
    if (inside > 0) used += 1;
    if (depth > maxDepth || (inside > 0 && used > maxUsed)) return '';
    const isShown = isPainted && isSeen({ ...look, color: 'unknown' });
    const parts = element.children.map((node) => {
      if ('attribs' in node) {
        if (notDrawn.test(node.name)) return '';
        const own = host.lookOf(node, look);
        if (!own.look.isGone && !isHidden(node)) {
          const isApart = ['x', 'y', 'dy'].some((place) => Number.parseFloat(node.attribs[place] ?? '0') !== 0);
          const text = textOf(node, own.look, isPaintedBy(node, own.declared, isPainted), depth + 1);
          return `${isApart ? ' ' : ''}${text}`;
        }
      } else if (isShown) return 'data' in node ? node.data : '';
      host.hide(node);
      return '';
    });
    return parts.join('').replaceAll(/\s+/gu, ' ');
  };
  /** Cut by a shape, or seen through a mask, that has no content. */
  const isEmptied = ({ attribs }: XmlElement): boolean =>
    ['clip-path', 'mask'].some((name) => {
      const [, id = ''] = /^url\(\s*["']?#([^"')]+)/.exec(attribs[name] ?? '') ?? [];
      const shape = id === '' ? undefined : byId.get(id);
      return shape !== undefined && !shape.children.some((child) => 'attribs' in child);
    });
  const waiting = [drawing];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const { id } = element.attribs;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    reach = Math.max(reach, reachOf(element));
    for (const child of element.children) if ('attribs' in child) waiting.push(child);
  }
  if (hasNoSize(drawing)) host.hide(drawing);
  else read(drawing.children, around, true, 0);
}

/** Whether a drawing has no width or no height. */
const hasNoSize = ({ attribs }: XmlElement): boolean =>
  ['width', 'height'].some((side) => lengthOf(attribs[side] ?? '1px') === 0);

/** Pixels beyond which no drawing of a page reaches, if its lengths are pixels. */
const far = 5_000;

/** How far a part of a drawing reaches in lengths of its own, such as hundredths of a millimetre; without end where it is scaled. */
function reachOf({ attribs }: XmlElement): number {
  if (/scale|matrix/.test(attribs['transform'] ?? '')) return Infinity;
  const [left = 0, top = 0, width = 0, height = 0] = (attribs['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map((part) => Math.abs(Number.parseFloat(part)) || 0);
  return Math.max(left + width, top + height);
}

/** Whether the attributes of a text move it further than its drawing reaches, or leave its letters no size. */
function isBeside({ attribs }: XmlElement, reach: number): boolean {
  const moves = /translate\(([^()]*)\)/.exec(attribs['transform'] ?? '')?.[1]?.split(/[\s,]+/) ?? [];
  const places = [...moves, attribs['x'] ?? '', attribs['y'] ?? '', attribs['dx'] ?? '', attribs['dy'] ?? ''];
  const size = lengthOf(attribs['font-size'] ?? '');
  return places.some((place) => Math.abs(Number.parseFloat(place)) >= reach) || size === 0;
}

function isHidden({ attribs }: XmlElement): boolean {
  const isOff = attribs['display'] === 'none' || /^(?:hidden|collapse)$/.test(attribs['visibility'] ?? '');
  return isOff || Number(attribs['opacity'] ?? 1) === 0 || Number(attribs['fill-opacity'] ?? 1) === 0;
}

/** Whether letters are filled, or drawn by their outline. */
function isPaintedBy({ attribs }: XmlElement, declared: Declarations, inherited: boolean): boolean {
  const fill = declared.get('fill') ?? attribs['fill'];
  const stroke = declared.get('stroke') ?? attribs['stroke'] ?? 'none';
  if (stroke !== 'none' && stroke !== 'transparent') return true;
  return fill === undefined || fill === 'inherit' ? inherited : !/^(?:none|transparent)$/.test(fill);
}
