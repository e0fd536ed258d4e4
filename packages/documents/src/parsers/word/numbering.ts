import { numberLists, type Level, type List, type Numbering } from '../list-numbers.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { chosenContent } from './read-drawing.ts';

/** Numbers the paragraphs of a Word document, in their order. */
export function readNumbering(root: XmlElement | undefined): Numbering {
  return numberLists(readLists(root));
}

function readLists(root: XmlElement | undefined): Map<string, List> {
  const abstracts = new Map(
    childElements(root, 'w:abstractNum').map((element) => [element.attribs['w:abstractNumId'] ?? '', element]),
  );
  const styled = new Map(
    [...abstracts].flatMap(([id, element]) => {
      const link = valueOf(firstChild(element, 'w:styleLink'));
      return link === undefined ? [] : [[link, id] as const];
    }),
  );
  const lists = new Map<string, List>();
  for (const element of childElements(root, 'w:num')) {
    let abstractId = valueOf(firstChild(element, 'w:abstractNumId')) ?? '';
    // A list can take its levels from the list of a style.
    const link = valueOf(firstChild(abstracts.get(abstractId), 'w:numStyleLink'));
    if (link !== undefined) abstractId = styled.get(link) ?? abstractId;
    const levels = readLevels(childElements(abstracts.get(abstractId), 'w:lvl'));
    const restarts = new Map<number, number>();
    for (const override of childElements(element, 'w:lvlOverride')) {
      const position = Number(override.attribs['w:ilvl']);
      for (const [at, level] of readLevels(childElements(override, 'w:lvl'))) levels.set(at, level);
      const start = valueOf(firstChild(override, 'w:startOverride'));
      if (start !== undefined) restarts.set(position, Number(start));
    }
    lists.set(element.attribs['w:numId'] ?? '', { abstractId, levels, restarts });
  }
  return lists;
}

function readLevels(elements: readonly XmlElement[]): Map<number, Level> {
  return new Map(
    elements.map((element) => {
      const restart = valueOf(firstChild(element, 'w:lvlRestart'));
      const legal = firstChild(element, 'w:isLgl');
      return [
        Number(element.attribs['w:ilvl']),
        {
          start: Number(valueOf(firstChild(element, 'w:start')) ?? 0),
          format: formatOf(element),
          text: valueOf(firstChild(element, 'w:lvlText')) ?? '',
          restartsAfter: restart === undefined ? undefined : Number(restart),
          isJoined: valueOf(firstChild(element, 'w:suff')) === 'nothing',
          isLegal: legal !== undefined && !/^(?:0|false|off)$/.test(valueOf(legal) ?? ''),
          style: valueOf(firstChild(element, 'w:pStyle')),
        },
      ];
    }),
  );
}

/** The format of the numbers of a level. Those that only newer programs know stand beside one for others. */
function formatOf(level: XmlElement): string {
  const alternatives = firstChild(level, 'mc:AlternateContent');
  const format = firstChild(level, 'w:numFmt') ?? firstChild(alternatives && chosenContent(alternatives), 'w:numFmt');
  if (valueOf(format) !== 'custom') return valueOf(format) ?? 'decimal';
  return format?.attribs['w:format']?.split(',')[0]?.trim() ?? 'decimal';
}

/** The `w:val` of an element. */
export function valueOf(element: XmlElement | undefined): string | undefined {
  return element?.attribs['w:val'];
}
