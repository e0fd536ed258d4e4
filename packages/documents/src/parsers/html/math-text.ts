import { childElements, type XmlElement, type XmlNode } from '../office-archive.ts';
import { isSeen, type Look } from './look.ts';

const maxDepth = 100;
/** A browser shows no text of other elements. */
const withText = /^(?:m[inos]|mtext|mtd)$/u;

/** The reader of the page that contains a formula. */
interface FormulaHost {
  lookOf(element: XmlElement, parent: Look): { look: Look };
  /** Counts a node that is not seen. */
  hide(node: XmlNode): void;
}

/** Of these, a browser shows the first part alone. */
const withOnePart = /^(?:semantics|maction)$/u;

/** Empties the parts of a formula that a browser does not show. */
export function emptyUnseen(formula: XmlElement, around: Look, host: FormulaHost, depth = 0): void {
  if (depth > maxDepth) return;
  for (const [at, part] of childElements(formula).entries()) {
    if (part.name.startsWith('annotation')) continue;
    const { look } = host.lookOf(part, around);
    const isShown = part.name !== 'mphantom' && (at === 0 || !withOnePart.test(formula.name));
    if (look.isGone || !isShown) {
      host.hide(part);
      part.children = [];
      continue;
    }
    emptyUnseen(part, look, host, depth + 1);
    if (isSeen(look)) continue;
    for (const child of part.children) if (!('attribs' in child)) host.hide(child);
    part.children = part.children.filter((child) => 'attribs' in child);
  }
}

/** A formula in MathML in one line: `x = (-b ± √(b^2 - 4ac))/(2a)`. */
export function mathText(node: XmlNode, depth = 0, isShown = false): string {
  if (depth > maxDepth) return '';
  if (!('attribs' in node)) return isShown && 'data' in node ? node.data.replaceAll(/\s+/gu, ' ').trim() : '';
  const name = node.name.replace(/^.*:/u, '');
  if (name.startsWith('annotation')) return '';
  // Each child is read once: read twice at each level, a deep formula took hours.
  const read = node.children.map((child) => ({
    isElement: 'attribs' in child,
    text: mathText(child, depth + 1, isShown || withText.test(name)),
  }));
  const parts = read.flatMap(({ isElement, text }) => (isElement ? [text] : []));
  const [first = '', second = '', third = ''] = parts;
  const inner = read.map(({ text }) => text).join('');
  switch (name) {
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
    case 'mo':
      return /^[=<>≤≥≠≈+±−-]$/u.test(inner) ? ` ${inner} ` : inner;
    case 'mtd':
    case 'mtr':
      return `${inner} `;
    default:
      return inner;
  }
}

/** With brackets, unless it is one word. */
function grouped(text: string): string {
  const own = text.trim();
  return /^[\p{L}\p{N}.,]*$/u.test(own) ? own : `(${own})`;
}
