import type { XmlElement } from '../office-archive.ts';
import type { RaisedPlace } from '../raised-digits.ts';
import { readColor, type PaintedColor } from './colors.ts';
import { lengthOf } from './lengths.ts';
import { isOutOfSight } from './out-of-sight.ts';
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
  /** In a table whose width is declared. */
  isInWideTable: boolean;
  isPositioned: boolean;
  raised: RaisedPlace | undefined;
  /** The values that the style sheets of the page name, such as `--paper`. */
  variables: ReadonlyMap<string, string>;
}

type Color = PaintedColor | 'unknown';

export const rootLook: Look = {
  display: 'block',
  isGone: false,
  isInvisible: false,
  color: [0, 0, 0, 1],
  background: [255, 255, 255, 1],
  transform: 'none',
  keepsSpaces: false,
  listStyle: undefined,
  fontSize: 16,
  isInWideTable: false,
  isPositioned: false,
  raised: undefined,
  variables: new Map(),
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
  'script style template noscript title meta link base datalist param source track area noembed noframes canvas rp'.split(
    ' ',
  ),
);

export function lookOfElement(element: XmlElement, written: Declarations, parent: Look): Look {
  const { name, attribs } = element;
  const variables = variablesOf(written, parent.variables);
  const declared = withValues(written, variables);
  const get = (property: string): string | undefined => declared.get(property);
  const isHiddenByAttribute =
    attribs['hidden'] !== undefined ||
    attribs['popover'] !== undefined ||
    (name === 'dialog' && attribs['open'] === undefined) ||
    (name === 'input' && attribs['type']?.toLowerCase() === 'hidden');
  const display =
    get('display') ??
    (isHiddenByAttribute ? 'none' : (tableDisplays[name] ?? (blockTags.has(name) ? 'block' : 'inline')));
  const visibility = get('visibility');
  const painted = backgroundOf(declared, attribs) ?? (name === 'button' ? buttonColor : undefined);
  const background = painted === undefined ? parent.background : over(painted, parent.background);
  const declaredColor = get('color') ?? (name === 'font' ? attribs['color'] : undefined);
  const usualColor = declaredColor === undefined ? usualColorOf(name, attribs) : undefined;
  const filled = get('-webkit-text-fill-color') ?? declaredColor;
  // Letters can be drawn by their shadow, or be what is seen of the background.
  const isDrawnOtherwise =
    (get('text-shadow') ?? 'none') !== 'none' ||
    /\btext\b/.test(get('background-clip') ?? get('-webkit-background-clip') ?? '');
  const color = isDrawnOtherwise ? 'unknown' : (readColor(filled) ?? usualColor ?? parent.color);
  const fontSize = sizeOf(get('font-size'), parent.fontSize) ?? parent.fontSize;
  const isInvisibleByStyle =
    visibility === undefined || visibility === 'inherit' ? undefined : visibility !== 'visible';
  const width = get('width') ?? attribs['width'] ?? '';
  const isInWideTable = /^(?:inline-)?table$/.test(display) ? /[1-9]/.test(width) : parent.isInWideTable;
  const cell = display === 'table-cell' ? { isInWideTable } : undefined;
  return {
    display,
    isInWideTable,
    isGone: neverShown.has(name) || display === 'none' || isOutOfSight(declared, cell),
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
    variables,
    raised: raisedPlaceOf(get('vertical-align'), name) ?? parent.raised,
    isPositioned: parent.isPositioned || /^(?:absolute|fixed)$/.test(get('position') ?? ''),
  };
}

function raisedPlaceOf(declared: string | undefined, name: string): RaisedPlace | undefined {
  const place = declared ?? name.replace(/^su([bp])$/u, (_, end) => (end === 'p' ? 'super' : 'sub'));
  return place === 'super' || place === 'sub' ? place : undefined;
}

/** Whether text in this look can be seen. */
export function isSeen({ isInvisible, fontSize, color, background, isPositioned }: Look): boolean {
  if (isInvisible || fontSize < 1.5) return false;
  if (color === 'unknown') return true;
  // What lies behind an element that is placed freely is not told.
  if (background === 'unknown' || isPositioned) return color[3] * 255 >= minColorDifference;
  const seen = over(color, background);
  return (
    seen === 'unknown' ||
    [0, 1, 2].some((at) => Math.abs(Number(seen[at]) - Number(background[at])) >= minColorDifference)
  );
}

/** What is seen of a colour over another one. */
function over(color: Color, behind: Color): Color {
  if (color === 'unknown') return color;
  const [red, green, blue, alpha] = color;
  if (alpha === 1) return color;
  if (alpha === 0 || behind === 'unknown') return behind;
  const mixed = (front: number, back: number): number => front * alpha + back * (1 - alpha);
  return [mixed(red, behind[0]), mixed(green, behind[1]), mixed(blue, behind[2]), 1];
}

function variablesOf(declared: Declarations, inherited: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = [...declared].filter(([property, value]) => property.startsWith('--') && value.length <= maxVariable);
  return own.length === 0 ? inherited : new Map([...inherited, ...own].slice(-maxVariables));
}

const maxVariables = 1_000;
const maxVariable = 1_000;
const maxSteps = 10;

/** Declarations with the values that they name by variables, which can name others. */
function withValues(declared: Declarations, variables: ReadonlyMap<string, string>): Declarations {
  if (![...declared.values()].some((value) => value.includes('var('))) return declared;
  return new Map(
    [...declared].map(([property, value]) => {
      let text = value;
      for (let step = 0; step < maxSteps && text.includes('var(') && text.length < maxValue; step += 1) {
        let size = 0;
        text = text.replace(namedValue, (_, name: string, otherwise: string | undefined) => {
          const named = size > maxValue ? '' : (variables.get(name) ?? otherwise?.trim() ?? 'unset');
          size += named.length;
          return named;
        });
      }
      return [property, text];
    }),
  );
}

const namedValue = /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/gu;
/** Values are short; variables that name others several times can make them very long. */
const maxValue = 2_000;

function backgroundOf(declared: Declarations, attribs: Readonly<Record<string, string>>): Color | undefined {
  const image = declared.get('background-image');
  const whole = declared.get('background') ?? '';
  if ((image !== undefined && image !== 'none') || /url\(|gradient\(/i.test(whole)) return 'unknown';
  if (attribs['background'] !== undefined) return 'unknown';
  const color = declared.get('background-color') ?? (whole === '' ? attribs['bgcolor'] : whole);
  return color === undefined || /^(?:none|transparent|inherit|initial)$/i.test(color)
    ? undefined
    : (readColor(color) ?? 'unknown');
}

/** The colours that browsers give to links and buttons. */
const [linkColor, buttonColor, buttonTextColor]: readonly [Color, Color, Color] = [
  [0, 0, 238, 1],
  [239, 239, 239, 1],
  [0, 0, 0, 1],
];

function usualColorOf(name: string, attribs: Readonly<Record<string, string>>): Color | undefined {
  if (name === 'button') return buttonTextColor;
  return name === 'a' && attribs['href'] !== undefined ? linkColor : undefined;
}

function sizeOf(text: string | undefined, parent: number): number | undefined {
  const [, percent] = /^([\d.]+)%$/.exec(text ?? '') ?? [];
  return percent === undefined ? lengthOf(text ?? '', parent) : (Number(percent) / 100) * parent;
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
