import { isOpaquePicture } from '../../image/opaque-picture.ts';
import { childElements, firstChild, type OfficeArchive, type Relation, type XmlElement } from '../office-archive.ts';

/** The part that contains the drawings. */
interface Part {
  archive: OfficeArchive;
  relations: ReadonlyMap<string, Relation>;
}

/** A drawing of a paragraph at a place that is measured from the same corner. */
interface Anchored {
  corner: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  isBehindText: boolean;
  height: number;
}

/** A paragraph with more drawings is not looked at. */
const maxDrawings = 300;

/** Whether another drawing of its paragraph lies over a whole drawing, so that nobody sees its text. */
export function isCovered(anchor: XmlElement, source: Part): boolean {
  const own = placeOf(anchor);
  const paragraph = paragraphOf(anchor);
  if (own === undefined || paragraph === undefined) return false;
  const others = anchorsIn(paragraph);
  return (
    others.length <= maxDrawings &&
    others.some((other) => {
      const place = other === anchor ? undefined : placeOf(other);
      return place !== undefined && liesOver(place, own) && isOpaque(other, source);
    })
  );
}

function placeOf(anchor: XmlElement): Anchored | undefined {
  const [across, down] = (['H', 'V'] as const).map((axis) => {
    const position = firstChild(anchor, `wp:position${axis}`);
    const [offset] = firstChild(position, 'wp:posOffset')?.children ?? [];
    const from = position?.attribs['relativeFrom'] ?? '';
    return { from, start: offset !== undefined && 'data' in offset ? Number(offset.data) : Number.NaN };
  }) as [{ from: string; start: number }, { from: string; start: number }];
  const { cx, cy } = firstChild(anchor, 'wp:extent')?.attribs ?? {};
  const place = {
    corner: `${across.from} ${down.from}`,
    left: across.start,
    top: down.start,
    right: across.start + Number(cx),
    bottom: down.start + Number(cy),
    isBehindText: /^(?:1|true)$/u.test(anchor.attribs['behindDoc'] ?? ''),
    height: Number(anchor.attribs['relativeHeight'] ?? 0),
  };
  return [place.left, place.top, place.right, place.bottom].every(Number.isFinite) ? place : undefined;
}

const liesOver = (upper: Anchored, lower: Anchored): boolean =>
  upper.corner === lower.corner &&
  (upper.isBehindText === lower.isBehindText ? upper.height > lower.height : lower.isBehindText) &&
  upper.left <= lower.left &&
  upper.top <= lower.top &&
  upper.right >= lower.right &&
  upper.bottom >= lower.bottom;

function paragraphOf(anchor: XmlElement): XmlElement | undefined {
  for (let element = anchor.parent; element !== null; element = element.parent) {
    if ('name' in element && element.name === 'w:p') return element;
  }
  return undefined;
}

const knownAnchors = new WeakMap<XmlElement, XmlElement[]>();

function anchorsIn(paragraph: XmlElement): XmlElement[] {
  const known = knownAnchors.get(paragraph);
  if (known !== undefined) return known;
  const found: XmlElement[] = [];
  const waiting = [paragraph];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'wp:anchor') found.push(element);
    else if (element.name !== 'mc:Fallback') waiting.push(...childElements(element));
  }
  knownAnchors.set(paragraph, found);
  return found;
}

/** Whether a drawing is a picture, or a rectangle of one colour, that is not turned and that nothing is seen through. */
function isOpaque(anchor: XmlElement, { archive, relations }: Part): boolean {
  const [content] = childElements(firstChild(firstChild(anchor, 'a:graphic'), 'a:graphicData'));
  const properties = firstChild(content, 'pic:spPr') ?? firstChild(content, 'wps:spPr');
  const { prst = 'rect' } = firstChild(properties, 'a:prstGeom')?.attribs ?? {};
  const isTurned = Number(firstChild(properties, 'a:xfrm')?.attribs['rot'] ?? 0) !== 0;
  if (prst !== 'rect' || isTurned || firstChild(properties, 'a:custGeom')) return false;
  const blip = firstChild(firstChild(content, 'pic:blipFill'), 'a:blip');
  if (blip !== undefined) {
    const isSeenThrough = childElements(blip).some(({ name }) => /alpha|clrChange/u.test(name));
    const path = relations.get(blip.attribs['r:embed'] ?? '')?.target;
    return !isSeenThrough && path !== undefined && isOpaquePicture(archive.bytes(path));
  }
  const [color] = childElements(firstChild(properties, 'a:solidFill'));
  return color !== undefined && firstChild(color, 'a:alpha') === undefined;
}
