import type { XmlElement } from '../office-archive.ts';
import type { Declarations } from './style-sheet.ts';

/** How the content of an element is seen, from its own declarations and its parent's look. */
export interface Look {
  display: string;
  /** Nothing of the element is seen, whatever its children declare. */
  isGone: boolean;
  /** Its own text is not seen; a child can be visible again. */
  isInvisible: boolean;
  color: Color;
  background: Color;
  transform: string;
  keepsSpaces: boolean;
  listStyle: string | undefined;
  fontSize: number;
  isPositioned: boolean;
}

type Color = readonly [number, number, number] | 'unknown';

export const rootLook: Look = {
  display: 'block',
  isGone: false,
  isInvisible: false,
  color: [0, 0, 0],
  background: [255, 255, 255],
  transform: 'none',
  keepsSpaces: false,
  listStyle: undefined,
  fontSize: 16,
  isPositioned: false,
};

/** Letters and background that differ less on every channel look the same. */
const minColorDifference = 10;

const blockTags = new Set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol optgroup option p pre search section summary ul xmp'.split(
    ' ',
  ),
);
const tableDisplays: Readonly<Record<string, string>> = {
  table: 'table',
  caption: 'table-caption',
  thead: 'table-header-group',
  tbody: 'table-row-group',
  tfoot: 'table-footer-group',
  tr: 'table-row',
  td: 'table-cell',
  th: 'table-cell',
  li: 'list-item',
};
/** Elements that a browser with scripts shows nothing of. Text in the head of a page is shown, since it ends the head. */
const neverShown = new Set(
  'script style template noscript title meta link base datalist param source track area noembed noframes'.split(' '),
);

export function lookOfElement(element: XmlElement, declared: Declarations, parent: Look): Look {
  const { name, attribs } = element;
  const get = (property: string): string | undefined => declared.get(property);
  const isHiddenByAttribute =
    attribs['hidden'] !== undefined || (name === 'input' && attribs['type']?.toLowerCase() === 'hidden');
  const display =
    get('display') ??
    (isHiddenByAttribute ? 'none' : (tableDisplays[name] ?? (blockTags.has(name) ? 'block' : 'inline')));
  const visibility = get('visibility');
  const background = backgroundOf(declared, attribs) ?? (name === 'button' ? buttonColor : parent.background);
  const declaredColor = get('color') ?? (name === 'font' ? attribs['color'] : undefined);
  const usualColor = declaredColor === undefined ? usualColorOf(name, attribs) : undefined;
  const color = colorOf(declaredColor) ?? usualColor ?? parent.color;
  const fontSize = sizeOf(get('font-size'), parent.fontSize) ?? parent.fontSize;
  const isInvisibleByStyle =
    visibility === undefined || visibility === 'inherit' ? undefined : visibility !== 'visible';
  return {
    display,
    isGone: neverShown.has(name) || display === 'none' || isOutOfSight(declared),
    isInvisible: isInvisibleByStyle ?? parent.isInvisible,
    color,
    background,
    transform: get('text-transform') ?? parent.transform,
    keepsSpaces:
      get('white-space') === undefined
        ? parent.keepsSpaces || name === 'pre' || name === 'xmp'
        : /^(?:pre|break-spaces)/.test(get('white-space')!),
    listStyle:
      listStyleOf(declared, attribs, name) ??
      (name === 'ul' || name === 'menu' ? 'disc' : name === 'ol' ? 'decimal' : parent.listStyle),
    fontSize,
    isPositioned: parent.isPositioned || /^(?:absolute|fixed)$/.test(get('position') ?? ''),
  };
}

/** Whether text in this look can be seen. */
export function isSeen({ isInvisible, fontSize, color, background, isPositioned }: Look): boolean {
  if (isInvisible || fontSize < 1.5) return false;
  if (color === 'unknown' || background === 'unknown' || isPositioned) return true;
  return color.some((channel, index) => Math.abs(channel - background[index]!) >= minColorDifference);
}

function isOutOfSight(declared: Declarations): boolean {
  const number = (property: string): number | undefined => {
    const found = /^(-?[\d.]+)(?:px|pt|r?em|%|vw|vh|ex|ch)?$/.exec(declared.get(property) ?? '')?.[1];
    return found === undefined ? undefined : Number(found);
  };
  if ((number('opacity') ?? 1) === 0) return true;
  const far = -900;
  const isPositioned = /^(?:absolute|fixed|relative)$/.test(declared.get('position') ?? '');
  if (isPositioned && ['left', 'top', 'right'].some((side) => (number(side) ?? 0) <= far)) return true;
  if ((number('text-indent') ?? 0) <= far) return true;
  if (/^rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)/.test(declared.get('clip') ?? '')) return true;
  if (/^inset\(\s*(?:50|100)%\s*\)/.test(declared.get('clip-path') ?? '')) return true;
  if (/scale(?:[xy]|3d)?\(\s*0\s*[,)]/.test(declared.get('transform') ?? '')) return true;
  const clips = /hidden|clip/.test(
    `${declared.get('overflow') ?? ''} ${declared.get('overflow-x') ?? ''} ${declared.get('overflow-y') ?? ''}`,
  );
  return clips && ['width', 'height', 'max-height', 'max-width'].some((side) => (number(side) ?? 100) === 0);
}

function backgroundOf(declared: Declarations, attribs: Readonly<Record<string, string>>): Color | undefined {
  const image = declared.get('background-image');
  const whole = declared.get('background') ?? '';
  if ((image !== undefined && image !== 'none') || /url\(|gradient\(/.test(whole)) return 'unknown';
  if (attribs['background'] !== undefined) return 'unknown';
  const color = declared.get('background-color') ?? (whole === '' ? attribs['bgcolor'] : whole);
  return color === undefined || /^(?:none|transparent|inherit|initial)$/.test(color)
    ? undefined
    : (colorOf(color) ?? 'unknown');
}

/** The colours that browsers give to links and buttons. */
const [linkColor, buttonColor, buttonTextColor]: readonly [Color, Color, Color] = [
  [0, 0, 238],
  [239, 239, 239],
  [0, 0, 0],
];

function usualColorOf(name: string, attribs: Readonly<Record<string, string>>): Color | undefined {
  if (name === 'button') return buttonTextColor;
  return name === 'a' && attribs['href'] !== undefined ? linkColor : undefined;
}

const namedColors: Readonly<Record<string, Color>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  snow: [255, 250, 250],
};

function colorOf(text: string | undefined): Color | undefined {
  if (text === undefined || text === '' || /^(?:inherit|currentcolor|unset)$/.test(text)) return undefined;
  const value = text.toLowerCase();
  if (namedColors[value]) return namedColors[value];
  const [, hex] = /^#?([0-9a-f]{3,8})$/.exec(value) ?? [];
  if (hex !== undefined && (hex.length === 3 || hex.length === 4)) {
    return [0, 1, 2].map((at) => Number.parseInt(hex[at]! + hex[at]!, 16)) as unknown as Color;
  }
  if (hex !== undefined && (hex.length === 6 || hex.length === 8)) {
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color;
  }
  const [, r, g, b] = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(value) ?? [];
  return r === undefined ? 'unknown' : [Number(r), Number(g), Number(b)];
}

function sizeOf(text: string | undefined, parent: number): number | undefined {
  const [, digits, unit] = /^([\d.]+)(px|pt|em|rem|%)?$/.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (unit === 'em') return value * parent;
  if (unit === '%') return (value / 100) * parent;
  return unit === 'rem' ? value * 16 : value;
}

const oldListTypes: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
};

function listStyleOf(
  declared: Declarations,
  attribs: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  const own =
    declared.get('list-style-type') ??
    /\b(?:none|disc|circle|square|decimal(?:-leading-zero)?|(?:lower|upper)-(?:alpha|latin|roman|greek))\b/.exec(
      declared.get('list-style') ?? '',
    )?.[0];
  if (own !== undefined) return own;
  return name === 'ol' || name === 'li' ? oldListTypes[attribs['type'] ?? ''] : undefined;
}
