import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { SlidePlace } from './reading-order.ts';
import { inheritedBy, placeOf, type SlideBase } from './slide-frames.ts';

/** A shape that is shown and is no group, in the order in which a slide is painted. */
export interface FlatShape {
  element: XmlElement;
  /** Its place on the slide before it is turned; undefined if that is not known. */
  frame: SlidePlace | undefined;
  isTurned: boolean;
  /** It, or a group around it, comes, leaves or moves while the slide is shown. */
  isAnimated: boolean;
}

/** From the measure of a group to that of its slide. */
type Measure = (place: SlidePlace) => SlidePlace;

/** What the groups around a shape do to it. */
interface Around {
  measure: Measure | undefined;
  isAnimated: boolean;
  depth: number;
}

const maxDepth = 60;
/** Sixty thousandths of a degree. */
const [halfTurn, wholeTurn] = [10_800_000, 21_600_000];

/** The shapes of a slide, a layout or a master, and of the groups inside of it. */
export function flatShapes(slide: XmlElement | undefined, base: SlideBase): FlatShape[] {
  const found: FlatShape[] = [];
  const tree = firstChild(firstChild(slide, 'p:cSld'), 'p:spTree');
  addShapes(tree, base, animatedIds(slide), { measure: (place) => place, isAnimated: false, depth: 0 }, found);
  return found;
}

function addShapes(
  tree: XmlElement | undefined,
  base: SlideBase,
  animated: ReadonlySet<string>,
  around: Around,
  to: FlatShape[],
): void {
  if (around.depth > maxDepth) return;
  const depth = around.depth + 1;
  for (const element of childElements(tree)) {
    if (element.name === 'mc:AlternateContent') {
      addShapes(readableContent(element), base, animated, { ...around, depth }, to);
      continue;
    }
    const named = childElements(element).find(({ name }) => name.startsWith('p:nv'));
    const { id = '', hidden = '' } = firstChild(named, 'p:cNvPr')?.attribs ?? {};
    if (isOn(hidden)) continue;
    const isAnimated = around.isAnimated || animated.has(id);
    if (element.name === 'p:grpSp') {
      const frame = firstChild(firstChild(element, 'p:grpSpPr'), 'a:xfrm');
      const own = isTurned(frame) ? undefined : measureOf(frame);
      const { measure } = around;
      const inside = measure && own && ((place: SlidePlace) => measure(own(place)));
      addShapes(element, base, animated, { measure: inside, isAnimated, depth }, to);
    } else if (/^p:(?:sp|pic|graphicFrame|cxnSp)$/u.test(element.name)) {
      const properties = [firstChild(element, 'p:spPr') ?? element, ...inheritedBy(element, base).places];
      const place = placeOf(properties);
      const frame = properties.map((each) => firstChild(each, 'a:xfrm')).find((each) => firstChild(each, 'a:off'));
      const isPlaced = place.width > 0 && place.height > 0;
      to.push({
        element,
        frame: isPlaced ? around.measure?.(place) : undefined,
        isTurned: isTurned(frame),
        isAnimated,
      });
    }
  }
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/** The shapes that are named outside of the drawing: by its animations. */
function animatedIds(slide: XmlElement | undefined): Set<string> {
  const found = new Set<string>();
  const waiting = childElements(slide).filter(({ name }) => name !== 'p:cSld');
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.attribs['spid'] !== undefined) found.add(element.attribs['spid']);
    waiting.push(...childElements(element));
  }
  return found;
}

const turnOf = (frame: XmlElement | undefined): number => Number(frame?.attribs['rot'] ?? 0);
const isTurned = (frame: XmlElement | undefined): boolean => turnOf(frame) % halfTurn !== 0;

/** All that something at a place can reach, if it is turned. */
export function reachOf(place: SlidePlace | undefined, isTurnedPlace: boolean): SlidePlace | undefined {
  if (place === undefined || !isTurnedPlace) return place;
  const { left, top, width, height } = place;
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
  const isUpsideDown = turnOf(frame) % wholeTurn !== 0;
  const [fromRight, fromBottom] = (['flipH', 'flipV'] as const).map(
    (key) => isOn(frame?.attribs[key]) !== isUpsideDown,
  );
  return (place) => {
    const inside = { width: place.width * across, height: place.height * down };
    const [left, top] = [(place.left - childX) * across, (place.top - childY) * down];
    return {
      ...inside,
      left: x + (fromRight ? width - left - inside.width : left),
      top: y + (fromBottom ? height - top - inside.height : top),
    };
  };
}

/** The first alternative with a shape that is read: what is written by hand is a picture in the last one alone. */
export function readableContent(alternatives: XmlElement): XmlElement {
  const all = childElements(alternatives);
  const isRead = ({ name }: XmlElement): boolean => /^p:(?:sp|pic|graphicFrame|grpSp|cxnSp)$/u.test(name);
  return all.find((each) => childElements(each).some(isRead)) ?? all[0] ?? alternatives;
}
