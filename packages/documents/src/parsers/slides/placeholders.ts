import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** A layout or a master, on which the frames of a slide are based. */
export interface SlideBase {
  layout: XmlElement | undefined;
  master: XmlElement | undefined;
}

/** What a frame takes from the frames of the layout and of the master that it is based on. */
export interface Inherited {
  /** The properties of the frames with a place, the nearest first. */
  places: XmlElement[];
  /** The styles of its paragraphs, the nearest first. */
  styles: XmlElement[];
}

export function placeholderOf(shape: XmlElement): XmlElement | undefined {
  const properties = childElements(shape).find(({ name }) => name.startsWith('p:nv'));
  return firstChild(firstChild(properties, 'p:nvPr'), 'p:ph');
}

/** What a shape of a slide takes from its layout and its master. */
export function inheritedBy(shape: XmlElement, { layout, master }: SlideBase): Inherited {
  const placeholder = placeholderOf(shape);
  const texts = firstChild(master, 'p:txStyles');
  if (placeholder === undefined) return { places: [], styles: [firstChild(texts, 'p:otherStyle') ?? []].flat() };
  const { type = 'obj', idx } = placeholder.attribs;
  const own = placeholdersOf(layout);
  const kind = kindOf(type);
  const inLayout =
    own.find(({ frame }) => idx !== undefined && frame.attribs['idx'] === idx) ??
    own.find(({ frame }) => kindOf(frame.attribs['type']) === kind);
  const masterKind = kindOf(inLayout?.frame.attribs['type'] ?? type);
  const inMaster = placeholdersOf(master).find(({ frame }) => kindOf(frame.attribs['type']) === masterKind);
  const bases = [inLayout, inMaster].flatMap((base) => base?.shape ?? []);
  const style = masterKind === 'title' ? 'p:titleStyle' : masterKind === 'body' ? 'p:bodyStyle' : 'p:otherStyle';
  return {
    places: bases.flatMap((base) => firstChild(base, 'p:spPr') ?? []),
    styles: [
      ...bases.flatMap((base) => firstChild(firstChild(base, 'p:txBody'), 'a:lstStyle') ?? []),
      ...[firstChild(texts, style) ?? []].flat(),
    ],
  };
}

function placeholdersOf(slide: XmlElement | undefined): { frame: XmlElement; shape: XmlElement }[] {
  return childElements(firstChild(firstChild(slide, 'p:cSld'), 'p:spTree')).flatMap((shape) => {
    const frame = placeholderOf(shape);
    return frame ? [{ frame, shape }] : [];
  });
}

/** Frames of one kind are based on each other: those for a table or a picture are based on the one for text. */
function kindOf(type = 'obj'): string {
  if (/title$/i.test(type)) return 'title';
  return /^(?:dt|ftr|hdr|sldNum)$/.test(type) ? type : 'body';
}
