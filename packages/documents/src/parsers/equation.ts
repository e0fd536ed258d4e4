import { childElements, firstChild, type XmlElement } from './office-archive.ts';

const maxDepth = 100;

/** An equation of Office in one line: `x = (-b ± √(b^2 - 4ac))/(2a)`. */
export function equationText(element: XmlElement, depth = 0): string {
  if (depth > maxDepth) return '';
  const inner = (parent: XmlElement | undefined): string =>
    childElements(parent)
      .map((child) => equationText(child, depth + 1))
      .join('');
  const part = (name: string): string => inner(firstChild(element, name));
  const property = (group: string, name: string): string | undefined =>
    firstChild(firstChild(element, group), name)?.attribs['m:val'];
  switch (element.name) {
    case 'm:t':
    case 'w:t':
      return element.children.map((node) => ('data' in node ? node.data : '')).join('');
    case 'm:f':
      return property('m:fPr', 'm:type') === 'noBar'
        ? `${grouped(part('m:num'))}¦${grouped(part('m:den'))}`
        : `${grouped(part('m:num'))}/${grouped(part('m:den'))}`;
    case 'm:sSup':
      return `${grouped(part('m:e'))}^${grouped(part('m:sup'))}`;
    case 'm:sSub':
      return `${grouped(part('m:e'))}_${grouped(part('m:sub'))}`;
    case 'm:sSubSup':
      return `${grouped(part('m:e'))}_${grouped(part('m:sub'))}^${grouped(part('m:sup'))}`;
    case 'm:sPre':
      return `_${grouped(part('m:sub'))}^${grouped(part('m:sup'))}${part('m:e')}`;
    case 'm:rad': {
      const degree = part('m:deg');
      return degree === '' ? `√(${part('m:e')})` : `√(${degree}&${part('m:e')})`;
    }
    case 'm:nary': {
      const [sub, sup] = [part('m:sub'), part('m:sup')];
      const limits = `${sub === '' ? '' : `_${grouped(sub)}`}${sup === '' ? '' : `^${grouped(sup)}`}`;
      return `${property('m:naryPr', 'm:chr') ?? '∫'}${limits} ${part('m:e')}`;
    }
    case 'm:d': {
      const parts = childElements(element, 'm:e').map(inner);
      const [open, close] = [property('m:dPr', 'm:begChr') ?? '(', property('m:dPr', 'm:endChr') ?? ')'];
      return open + parts.join(property('m:dPr', 'm:sepChr') ?? '|') + close;
    }
    case 'm:m':
      return `[${childElements(element, 'm:mr')
        .map((row) => childElements(row, 'm:e').map(inner).join(', '))
        .join('; ')}]`;
    case 'm:eqArr':
      return childElements(element, 'm:e').map(inner).join('\n');
    case 'm:limLow':
      return `${part('m:e')}_${grouped(part('m:lim'))}`;
    case 'm:limUpp':
      return `${part('m:e')}^${grouped(part('m:lim'))}`;
    case 'm:func':
      return `${part('m:fName')} ${part('m:e')}`;
    case 'm:acc':
      return part('m:e') + (property('m:accPr', 'm:chr') ?? '\u0302');
    default:
      return element.name.endsWith('Pr') ? '' : inner(element);
  }
}

/** A term of several signs is put in brackets, so that it stays one term. */
function grouped(term: string): string {
  return /^[\p{L}\p{N}.]*$/u.test(term) || /^\([^()]*\)$/.test(term) ? term : `(${term})`;
}
