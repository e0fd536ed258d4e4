import { fillIn, isOpaque, isOpaquePicture, isPlainRectangle } from '../drawing/opaque-drawing.ts';
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
      return place !== undefined && liesOver(place, own) && covers(other, source);
    })
  );
}

/** Where a drawing stands for certain. Word moves those that may not overlap, and lines and letters have places of their own. */
function placeOf(anchor: XmlElement): Anchored | undefined {
  const { behindDoc = '0', relativeHeight = '0', simplePos = '0', allowOverlap = '1' } = anchor.attribs;
  if (isOn(simplePos) || !isOn(allowOverlap)) return undefined;
  const [across, down] = (['H', 'V'] as const).map((axis) => {
    const position = firstChild(anchor, `wp:position${axis}`);
    const [offset] = firstChild(position, 'wp:posOffset')?.children ?? [];
    const from = position?.attribs['relativeFrom'] ?? '';
    const isKnown = offset !== undefined && 'data' in offset && !/^(?:character|line)$/u.test(from);
    return { from, start: isKnown ? Number(offset.data) : Number.NaN };
  }) as [{ from: string; start: number }, { from: string; start: number }];
  const { cx, cy } = firstChild(anchor, 'wp:extent')?.attribs ?? {};
  const [width, height] = [Number(cx), Number(cy)];
  // A turned drawing reaches further than its frame.
  const isTurned = turnOf(propertiesOf(contentOf(anchor))) !== 0;
  const [more, above] = isTurned ? [width, height].map((side) => (Math.hypot(width, height) - side) / 2) : [0, 0];
  const place = {
    corner: `${across.from} ${down.from}`,
    left: across.start - more!,
    top: down.start - above!,
    right: across.start + width + more!,
    bottom: down.start + height + above!,
    isBehindText: isOn(behindDoc),
    height: Number(relativeHeight),
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
    const isBreak = element.name === 'w:br' && /^(?:page|column)$/u.test(element.attribs['w:type'] ?? '');
    if (isBreak || element.name === 'w:lastRenderedPageBreak') {
      // Drawings of a paragraph on two pages can stand on either.
      found.length = 0;
      break;
    }
    if (element.name === 'wp:anchor') found.push(element);
    else if (element.name !== 'mc:Fallback') waiting.push(...childElements(element));
  }
  knownAnchors.set(paragraph, found);
  return found;
}

/** Whether a drawing is shown, and is a picture or a filled rectangle that is not turned and that nothing is seen through. */
function covers(anchor: XmlElement, source: Part): boolean {
  const content = contentOf(anchor);
  const properties = propertiesOf(content);
  if (isGone(anchor) || turnOf(properties) !== 0 || !isPlainRectangle(properties)) return false;
  if (content?.name === 'pic:pic') return isOpaquePicture(firstChild(content, 'pic:blipFill'), source);
  const fill = fillIn(properties);
  return fill !== undefined && isOpaque(fill);
}

const contentOf = (anchor: XmlElement): XmlElement | undefined =>
  childElements(firstChild(firstChild(anchor, 'a:graphic'), 'a:graphicData'))[0];

const propertiesOf = (content: XmlElement | undefined): XmlElement | undefined =>
  firstChild(content, 'pic:spPr') ?? firstChild(content, 'wps:spPr');

const turnOf = (properties: XmlElement | undefined): number =>
  Number(firstChild(properties, 'a:xfrm')?.attribs['rot'] ?? 0);

/** Whether a drawing is hidden itself, or with its run, or was deleted. */
function isGone(anchor: XmlElement): boolean {
  if (isOn(firstChild(anchor, 'wp:docPr')?.attribs['hidden'] ?? '0')) return true;
  for (let element = anchor.parent; element !== null && 'name' in element; element = element.parent) {
    if (element.name === 'w:p') return false;
    if (element.name === 'w:del' || element.name === 'w:moveFrom') return true;
    const vanish = element.name === 'w:r' ? firstChild(firstChild(element, 'w:rPr'), 'w:vanish') : undefined;
    if (vanish !== undefined && isOn(vanish.attribs['w:val'] ?? '1')) return true;
  }
  return false;
}

const isOn = (value: string): boolean => /^(?:1|true|on)$/u.test(value);
