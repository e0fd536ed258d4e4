import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { SlidePlace } from './reading-order.ts';
import { inheritedBy, placeOf, type SlideBase } from './slide-frames.ts';

/** A shape that is no group, in the order in which a slide is painted. */
export interface FlatShape {
  element: XmlElement;
  /** All that it can reach on the slide; undefined if that is not known. */
  place: SlidePlace | undefined;
  isTurned: boolean;
}

/** From the measure of a group to that of its slide. */
type Measure = (place: SlidePlace) => SlidePlace;

const maxDepth = 60;
/** Sixty thousandths of a degree. */
const halfTurn = 10_800_000;

/** The shapes of a tree and of the groups inside of it. */
export function flatShapes(tree: XmlElement | undefined, base: SlideBase): FlatShape[] {
  const found: FlatShape[] = [];
  addShapes(tree, base, (place) => place, 0, found);
  return found;
}

function addShapes(
  tree: XmlElement | undefined,
  base: SlideBase,
  measure: Measure | undefined,
  depth: number,
  to: FlatShape[],
): void {
  if (depth > maxDepth) return;
  for (const element of childElements(tree)) {
    if (element.name === 'mc:AlternateContent') {
      addShapes(readableContent(element), base, measure, depth + 1, to);
    } else if (element.name === 'p:grpSp') {
      const frame = firstChild(firstChild(element, 'p:grpSpPr'), 'a:xfrm');
      const own = isTurned(frame) ? undefined : measureOf(frame);
      addShapes(element, base, measure && own && ((place) => measure(own(place))), depth + 1, to);
    } else if (/^p:(?:sp|pic|graphicFrame|cxnSp)$/u.test(element.name)) {
      const properties = [firstChild(element, 'p:spPr') ?? element, ...inheritedBy(element, base).places];
      const place = placeOf(properties);
      const frame = properties.map((each) => firstChild(each, 'a:xfrm')).find((each) => firstChild(each, 'a:off'));
      const isKnown = measure !== undefined && place.width > 0 && place.height > 0;
      const turned = isTurned(frame);
      to.push({ element, place: isKnown ? measure(turned ? turnedReach(place) : place) : undefined, isTurned: turned });
    }
  }
}

const isTurned = (frame: XmlElement | undefined): boolean => Number(frame?.attribs['rot'] ?? 0) % halfTurn !== 0;

/** All that a turned shape can cover. */
function turnedReach({ left, top, width, height }: SlidePlace): SlidePlace {
  const side = Math.hypot(width, height);
  return { left: left + (width - side) / 2, top: top + (height - side) / 2, width: side, height: side };
}

function measureOf(frame: XmlElement | undefined): Measure | undefined {
  const number = (child: string, key: string): number => Number(firstChild(frame, child)?.attribs[key] ?? Number.NaN);
  const [x, y, width, height] = [
    number('a:off', 'x'),
    number('a:off', 'y'),
    number('a:ext', 'cx'),
    number('a:ext', 'cy'),
  ];
  const [childX, childY] = [number('a:chOff', 'x'), number('a:chOff', 'y')];
  const [across, down] = [width / number('a:chExt', 'cx'), height / number('a:chExt', 'cy')];
  // A group without a place has the measure of its slide.
  if (firstChild(frame, 'a:off') === undefined) return (place) => place;
  if (![x, y, childX, childY, across, down].every(Number.isFinite)) return undefined;
  return (place) => ({
    left: x + (place.left - childX) * across,
    top: y + (place.top - childY) * down,
    width: place.width * across,
    height: place.height * down,
  });
}

/** The first alternative with a shape that is read: what is written by hand is a picture in the last one alone. */
export function readableContent(alternatives: XmlElement): XmlElement {
  const all = childElements(alternatives);
  const isRead = ({ name }: XmlElement): boolean => /^p:(?:sp|pic|graphicFrame|grpSp|cxnSp)$/u.test(name);
  return all.find((each) => childElements(each).some(isRead)) ?? all[0] ?? alternatives;
}
