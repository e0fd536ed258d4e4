import { isOpaquePicture } from '../../image/opaque-picture.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { FlatShape } from './flat-shapes.ts';
import type { SlidePlace } from './reading-order.ts';
import type { SlideSource } from './shape-content.ts';
import { fillIn, isOpaque } from './slide-colors.ts';

/** Whether one of the shapes that are painted later covers all letters of a shape. */
export function isCoveredBy(later: readonly FlatShape[], { element, place }: FlatShape, source: SlideSource): boolean {
  if (element.name !== 'p:sp' || place === undefined || firstChild(element, 'p:txBody') === undefined) return false;
  const letters = reachOfLetters(element, place);
  return (
    letters !== undefined &&
    later.some(
      (other) => other.place && !other.isTurned && holds(other.place, letters) && covers(other.element, source),
    )
  );
}

const perPoint = 12_700;
/** Widest usual letter and line, as shares of the size. */
const [letterWidth, lineHeight] = [0.6, 1.25];
const usualSize = 18;

/** All that the letters of a shape can reach: more of them than fit stand above, below or beside it. */
function reachOfLetters(shape: XmlElement, { left, top, width, height }: SlidePlace): SlidePlace | undefined {
  const { wrap, vert = 'horz' } = firstChild(firstChild(shape, 'p:txBody'), 'a:bodyPr')?.attribs ?? {};
  if (vert !== 'horz') return undefined;
  const size = largestSize(shape) * perPoint;
  const lengths = drawnParagraphs(shape).map((text) => text.length * size * letterWidth);
  const lines = wrap === 'none' ? lengths.length : lengths.reduce((sum, each) => sum + Math.ceil(each / width), 0);
  const [across, down] = [
    wrap === 'none' ? Math.max(0, Math.max(0, ...lengths) - width) : 0,
    Math.max(0, lines * size * lineHeight - height),
  ];
  return { left: left - across, top: top - down, width: width + 2 * across, height: height + 2 * down };
}

function largestSize(shape: XmlElement): number {
  let largest = 0;
  const waiting = [shape];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    largest = Math.max(largest, Number(element.attribs['sz'] ?? 0) / 100);
    waiting.push(...childElements(element));
  }
  return largest || usualSize;
}

function holds(outer: SlidePlace, inner: SlidePlace): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.width >= inner.left + inner.width &&
    outer.top + outer.height >= inner.top + inner.height
  );
}

/** Whether nothing is seen through a shape: a filled rectangle, or a picture of a kind that has no transparent parts. */
function covers(element: XmlElement, { archive, relations }: SlideSource): boolean {
  const properties = firstChild(element, 'p:spPr');
  const { prst = 'rect' } = firstChild(properties, 'a:prstGeom')?.attribs ?? {};
  if (prst !== 'rect' || firstChild(properties, 'a:custGeom')) return false;
  const fill = fillIn(properties);
  if (element.name === 'p:sp') return fill !== undefined && isOpaque(fill);
  if (element.name !== 'p:pic') return false;
  const blip = firstChild(firstChild(element, 'p:blipFill'), 'a:blip');
  if (blip === undefined || childElements(blip).some(({ name }) => /alpha|clrChange/u.test(name))) return false;
  const path = relations.get(blip.attribs['r:embed'] ?? '')?.target;
  return path !== undefined && isOpaquePicture(archive.bytes(path));
}
