import { childElements, firstChild, type OfficeArchive, type XmlElement } from './office-archive.ts';

/** A shape of the drawings that Office wrote before 2007, and still writes for comments, controls and embedded objects. */
export interface VmlShape {
  id: string;
  /** What it is on a sheet, such as `Note`, `Button` or `Pict`. */
  kind: string | undefined;
  isVisible: boolean;
  /** Row and column of the cell that a note belongs to, from 0. */
  row: number;
  column: number;
  /** The text of its box, paragraph by paragraph. */
  texts: string[];
  /** The path of its picture. */
  picture: string | undefined;
}

/** The shapes of a VML part, those of groups too. */
export function readVml(archive: OfficeArchive, path: string): VmlShape[] {
  const relations = archive.relations(path);
  const shapes: VmlShape[] = [];
  // A stack instead of a recursion: a file can nest without end.
  const waiting = childElements(archive.xml(path)).reverse();
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (!/^v:(?:shape|rect|roundrect|oval)$/u.test(element.name)) {
      waiting.push(...childElements(element).reverse());
      continue;
    }
    const data = firstChild(element, 'x:ClientData');
    const image = firstChild(element, 'v:imagedata')?.attribs;
    const number = (name: string): number => Number(textIn(firstChild(data, name)).trim() || -1);
    shapes.push({
      id: element.attribs['id'] ?? '',
      kind: data?.attribs['ObjectType'],
      isVisible:
        firstChild(data, 'x:Visible') !== undefined || !/visibility\s*:\s*hidden/u.test(element.attribs['style'] ?? ''),
      row: number('x:Row'),
      column: number('x:Column'),
      texts: childElements(firstChild(element, 'v:textbox'))
        .map((box) => textIn(box).replaceAll(/\s+/gu, ' ').trim())
        .filter(Boolean),
      picture: relations.get(image?.['o:relid'] ?? image?.['r:id'] ?? image?.['r:pict'] ?? '')?.target,
    });
  }
  return shapes;
}

/** All text below an element. */
export function textIn(root: XmlElement | undefined): string {
  let text = '';
  const waiting: XmlElement['children'] = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('data' in node) text += node.data;
    else if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return text;
}
