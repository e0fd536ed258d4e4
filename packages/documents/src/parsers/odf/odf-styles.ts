import type { RaisedPlace } from '../raised-digits.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** What the styles of an OpenDocument file say of its text. Styles are known by their names. */
export type OdfStyles = ReturnType<typeof readOdfStyles>;

/** Reads the styles below the roots of `styles.xml` and `content.xml`. */
export function readOdfStyles(roots: readonly (XmlElement | undefined)[]) {
  const hidden = new Set<string>();
  const raised = new Map<string, RaisedPlace>();
  const lists = new Map<string, XmlElement>();
  const chapters: XmlElement[] = [];
  const unnumbered = new Set<string>();
  const masters = new Map<string, XmlElement>();
  const masterOfStyle = new Map<string, string>();
  for (const style of roots.flatMap((root) => childElements(root)).flatMap((group) => childElements(group))) {
    const name = style.attribs['style:name'];
    // What has no name is no style: the text itself is among these elements.
    if (style.name === 'text:outline-style') chapters.push(...childElements(style));
    if (name === undefined) continue;
    if (style.name === 'text:list-style') lists.set(name, style);
    if (style.name === 'style:master-page') masters.set(name, style);
    if (style.attribs['style:list-style-name'] === '') unnumbered.add(name);
    if (childElements(style).some(hides)) hidden.add(name);
    const place = raisedPlaceOf(firstChild(style, 'style:text-properties'));
    if (place !== undefined) raised.set(name, place);
    const master = style.attribs['style:master-page-name'];
    if (master) masterOfStyle.set(name, master);
  }
  return {
    /** Styles that hide what has them. */
    hidden,
    /** Styles that raise or lower letters. */
    raised,
    lists,
    /** The levels of the numbering of chapters. */
    chapters,
    /** Styles of headings without a number. */
    unnumbered,
    /** What pages, sheets and slides share: headers, footers, a letterhead. */
    masters,
    /** The master of the pages that begin with a style. */
    masterOfStyle,
  };
}

/** Where properties of a text put it: `super 58%`, or by how much of a line it is raised. */
function raisedPlaceOf(properties: XmlElement | undefined): RaisedPlace | undefined {
  const [place = ''] = (properties?.attribs['style:text-position'] ?? '').split(' ');
  if (place === 'super' || place === 'sub') return place;
  const share = Number.parseFloat(place);
  return share > 0 ? 'super' : share < 0 ? 'sub' : undefined;
}

/** Whether properties of a style hide what has it. */
function hides({ attribs }: XmlElement): boolean {
  return (
    attribs['text:display'] === 'none' ||
    attribs['table:display'] === 'false' ||
    attribs['presentation:visibility'] === 'hidden'
  );
}

/** The texts above or below each printed page of a sheet, without those with the number of the page and the like. */
export function marginParagraphs(
  { masters, masterOfStyle }: OdfStyles,
  sheet: XmlElement,
  kind: 'style:header' | 'style:footer',
): XmlElement[] {
  const margin = firstChild(masters.get(masterOfStyle.get(sheet.attribs['table:style-name'] ?? '') ?? ''), kind);
  if (margin === undefined || margin.attribs['style:display'] === 'false') return [];
  return [margin, ...childElements(margin).filter(({ name }) => name.startsWith('style:region'))]
    .flatMap((part) => childElements(part, 'text:p'))
    .filter((paragraph) => !paragraph.children.some(isField));
}

/** Whether a part of a paragraph is filled in by the program, such as the number of the page. */
function isField(node: XmlElement['children'][number]): boolean {
  return 'attribs' in node && /^text:(?:page-|sheet-|date|time|title|file-)/.test(node.name);
}

/** Whether a row or a column of a table is not shown. */
export function isCollapsed({ attribs }: XmlElement): boolean {
  return /^(?:collapse|filter)$/.test(attribs['table:visibility'] ?? '');
}
