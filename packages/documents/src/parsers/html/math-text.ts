import type { XmlElement, XmlNode } from '../office-archive.ts';

const maxDepth = 100;

/** A formula in MathML in one line: `x = (-b ± √(b^2 - 4ac))/(2a)`. */
export function mathText(node: XmlNode, depth = 0): string {
  if (depth > maxDepth) return '';
  if (!('attribs' in node)) return 'data' in node ? node.data.replaceAll(/\s+/gu, ' ').trim() : '';
  const parts = elementsIn(node).map((child) => mathText(child, depth + 1));
  const [first = '', second = '', third = ''] = parts;
  const inner = (): string => node.children.map((child) => mathText(child, depth + 1)).join('');
  switch (node.name.replace(/^.*:/u, '')) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msup':
    case 'mover':
      return `${grouped(first)}^${grouped(second)}`;
    case 'msub':
    case 'munder':
      return `${grouped(first)}_${grouped(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`;
    case 'msqrt':
      return `√${grouped(parts.join(''))}`;
    case 'mroot':
      return `${grouped(second)}√${grouped(first)}`;
    case 'mo': {
      const sign = inner();
      return /^[=<>≤≥≠≈+±−-]$/u.test(sign) ? ` ${sign} ` : sign;
    }
    case 'mtd':
    case 'mtr':
      return `${inner()} `;
    default:
      return inner();
  }
}

function elementsIn(node: XmlElement): XmlElement[] {
  return node.children.filter((child): child is XmlElement => 'attribs' in child);
}

/** With brackets, unless it is one word. */
function grouped(text: string): string {
  const own = text.trim();
  return /^[\p{L}\p{N}.,]*$/u.test(own) ? own : `(${own})`;
}
