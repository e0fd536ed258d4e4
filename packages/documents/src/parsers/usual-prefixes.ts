import type { DomUtils } from 'htmlparser2';

type XmlElement = Parameters<typeof DomUtils.getAttributeValue>[0];

/**
 * The prefix that each namespace usually has in Office files, by the end of its address: the transitional and the strict form of
 * Office Open XML differ before it. Programs may declare any other one, as many .NET programs do (`x:worksheet`).
 */
const usualPrefixes: readonly (readonly [ending: string, prefix: string])[] = [
  ['/spreadsheetml/2006/main', ''],
  ['/spreadsheetml/main', ''],
  ['/package/2006/relationships', ''],
  ['/officeDocument/2006/relationships', 'r'],
  ['/officeDocument/relationships', 'r'],
  ['/wordprocessingml/2006/main', 'w'],
  ['/wordprocessingml/main', 'w'],
  ['/presentationml/2006/main', 'p'],
  ['/presentationml/main', 'p'],
  ['/drawingml/2006/main', 'a'],
  ['/drawingml/main', 'a'],
  ['/drawingml/2006/chart', 'c'],
  ['/drawingml/chart', 'c'],
  ['/drawingml/2006/diagram', 'dgm'],
  ['/drawingml/diagram', 'dgm'],
  ['/drawingml/2006/wordprocessingDrawing', 'wp'],
  ['/drawingml/wordprocessingDrawing', 'wp'],
  ['/drawingml/2006/spreadsheetDrawing', 'xdr'],
  ['/drawingml/spreadsheetDrawing', 'xdr'],
  ['/drawingml/2006/picture', 'pic'],
  ['/drawingml/picture', 'pic'],
  ['/officeDocument/2006/math', 'm'],
  ['/officeDocument/math', 'm'],
  ['/markup-compatibility/2006', 'mc'],
  ['/word/2010/wordprocessingShape', 'wps'],
  ['/word/2010/wordml', 'w14'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['urn:schemas-microsoft-com:office:excel', 'x'],
  ['opendocument:xmlns:office:1.0', 'office'],
  ['opendocument:xmlns:text:1.0', 'text'],
  ['opendocument:xmlns:table:1.0', 'table'],
  ['opendocument:xmlns:drawing:1.0', 'draw'],
  ['opendocument:xmlns:style:1.0', 'style'],
  ['opendocument:xmlns:presentation:1.0', 'presentation'],
];

const declaration = /\sxmlns(?::([^\s=]+))?\s*=\s*["']([^"']*)["']/gu;

/** Whether an XML text declares a known namespace under another prefix than the usual one. */
export function hasOtherPrefixes(xml: string): boolean {
  for (const [, prefix = '', address = ''] of xml.matchAll(declaration)) {
    const usual = usualPrefixOf(address);
    if (usual !== undefined && usual !== prefix) return true;
  }
  return false;
}

/** Gives the elements and attributes below an element, and itself, the usual prefixes of their namespaces. */
export function renamePrefixes(root: XmlElement): void {
  // A stack instead of a recursion: a file can nest without end.
  const waiting: [element: XmlElement, usual: ReadonlyMap<string, string>][] = [[root, new Map()]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [element, outer] = next;
    const usual = declaredBy(element, outer);
    element.name = renamed(element.name, usual, true);
    element.attribs = Object.fromEntries(
      Object.entries(element.attribs).map(([name, value]) => [renamed(name, usual, false), value]),
    );
    for (const child of element.children) if ('attribs' in child) waiting.push([child, usual]);
  }
}

/** The usual prefix of each declared one, with what an element itself declares. */
function declaredBy({ attribs }: XmlElement, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = Object.entries(attribs).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (own.length === 0) return outer;
  const declared = new Map(outer);
  for (const [name, address] of own) {
    const prefix = name.slice('xmlns:'.length);
    const usual = usualPrefixOf(address);
    if (usual === undefined) declared.delete(prefix);
    else declared.set(prefix, usual);
  }
  return declared;
}

/** An attribute without a prefix is in no namespace. */
function renamed(name: string, usual: ReadonlyMap<string, string>, isElement: boolean): string {
  const colon = name.indexOf(':');
  if (colon === -1 && !isElement) return name;
  const prefix = usual.get(name.slice(0, Math.max(0, colon)));
  if (prefix === undefined) return name;
  const local = name.slice(colon + 1);
  return prefix === '' ? local : `${prefix}:${local}`;
}

function usualPrefixOf(address: string): string | undefined {
  return usualPrefixes.find(([ending]) => address.endsWith(ending))?.[1];
}
