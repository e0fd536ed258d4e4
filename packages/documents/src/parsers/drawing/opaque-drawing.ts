import { childElements, firstChild, type OfficeArchive, type Relation, type XmlElement } from '../office-archive.ts';

/** The part that contains a drawing. */
interface Part {
  archive: OfficeArchive;
  relations: ReadonlyMap<string, Relation>;
}

const fills = /^a:(?:solid|grad|blip|patt|grp)Fill$/u;

/** The fill among the properties of a shape, a cell or a run. */
export const fillIn = (properties: XmlElement | undefined): XmlElement | undefined =>
  childElements(properties).find(({ name }) => fills.test(name));

/** Percent, which older files write in thousandths. */
export const percent = (value = '100%'): number => Number.parseFloat(value) / (value.endsWith('%') ? 1 : 1_000);

/** How much of a colour is seen, in percent. */
export function opacityOf(color: XmlElement | undefined): number {
  let opacity = 100;
  for (const { name, attribs } of childElements(color)) {
    const value = percent(attribs['val']);
    if (name === 'a:alpha') opacity = value;
    if (name === 'a:alphaMod') opacity = (opacity * value) / 100;
    if (name === 'a:alphaOff') opacity += value;
  }
  return opacity;
}

/** Percent. */
export const minOpaque = 95;

/** Whether nothing is seen through the colours of a fill. */
export function isOpaque(fill: XmlElement): boolean {
  const stops = fill.name === 'a:solidFill' ? [fill] : childElements(firstChild(fill, 'a:gsLst'), 'a:gs');
  const colors = stops.map((stop) => childElements(stop)[0]);
  return colors.length > 0 && colors.every((color) => color !== undefined && opacityOf(color) >= minOpaque);
}

/** Whether the properties of a shape or a picture are those of a rectangle that is drawn up to its edges and not in space. */
export function isPlainRectangle(properties: XmlElement | undefined): boolean {
  const { prst = 'rect' } = firstChild(properties, 'a:prstGeom')?.attribs ?? {};
  const isSoft = firstChild(firstChild(properties, 'a:effectLst'), 'a:softEdge') !== undefined;
  const others = /^a:(?:custGeom|effectDag|scene3d)$/u;
  return prst === 'rect' && !isSoft && !childElements(properties).some(({ name }) => others.test(name));
}

/** Changes of a picture that leave all of it opaque. */
const harmless = /^a:(?:lum|grayscl|biLevel|extLst)$/u;

/** Whether a picture fills all of its frame and nothing is seen through it. */
export function isOpaquePicture(fill: XmlElement | undefined, { archive, relations }: Part): boolean {
  const blip = firstChild(fill, 'a:blip');
  const path = relations.get(blip?.attribs['r:embed'] ?? '')?.target;
  if (blip === undefined || path === undefined) return false;
  if (childElements(blip).some(({ name }) => !harmless.test(name))) return false;
  // Programs draw the vector picture that can stand there in place of the pixels.
  const more = childElements(firstChild(blip, 'a:extLst')).flatMap((each) => childElements(each));
  if (more.some(({ name }) => name.endsWith(':svgBlip'))) return false;
  const edges = (element: XmlElement | undefined): number[] =>
    Object.values(element?.attribs ?? {}).map((edge) => Number.parseFloat(edge));
  const isInset = edges(firstChild(firstChild(fill, 'a:stretch'), 'a:fillRect')).some((edge) => !(edge <= 0));
  const isWider = edges(firstChild(fill, 'a:srcRect')).some((edge) => !(edge >= 0));
  return !isInset && !isWider && hasOpaquePixels(archive, path);
}

const known = new WeakMap<OfficeArchive, Map<string, boolean>>();

/** Each picture is unpacked once for this: a file can draw one thousands of times. */
function hasOpaquePixels(archive: OfficeArchive, path: string): boolean {
  const ofFile = known.get(archive) ?? new Map<string, boolean>();
  known.set(archive, ofFile);
  const found = ofFile.get(path) ?? isOpaqueImage(archive.bytes(path));
  ofFile.set(path, found);
  return found;
}

/** Whether no pixel of a JPEG or a PNG can be transparent. */
function isOpaqueImage(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false;
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return true;
  if (bytes[0] !== 0x89 || bytes[1] !== 0x50) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasAlpha = bytes[25] === 4 || bytes[25] === 6;
  // The transparent colours stand before the pixels, and behind a colour profile of any length.
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === 'IDAT') return !hasAlpha;
    if (kind === 'tRNS') return false;
  }
  return false;
}
