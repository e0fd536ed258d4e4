import { looksAlike, unknownBackground, white, type Background } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { RaisedPlace } from '../raised-digits.ts';
import { valueOf } from './numbering.ts';
import { placeOfParagraph, type ParagraphPlace } from './paragraph-place.ts';

/** What properties of a run say about whether and how its letters are seen. Undefined: inherited. */
export interface RunLook {
  isVanished?: boolean;
  /** The colour of the letters, if it is named. */
  color?: string | undefined;
  isTiny?: boolean;
  /** Of the letters, in half points. */
  size?: number;
  /** Between letters, in twentieths of a point. */
  spacing?: number;
  /** The letters are raised or lowered beyond the page. */
  isAway?: boolean;
  /** The paragraph is not on the page, or its lines are cut off. */
  isOutOfSight?: boolean;
  isNarrow?: boolean;
  /** The letters have no fill, or one that nobody sees. */
  isUnfilled?: boolean;
  isDrawnOtherwise?: boolean;
  behind?: Background;
  isCapital?: boolean;
  raised?: RaisedPlace | undefined;
}

interface ParagraphStyle {
  look: RunLook;
  place: ParagraphPlace;
  list: { listId: string; level: number | undefined } | undefined;
}

export type Styles = ReturnType<typeof readStyles>;

const maxAncestors = 30;

export function readStyles(root: XmlElement | undefined) {
  // Nothing has a style without an id.
  const named = childElements(root, 'w:style').filter(({ attribs }) => Boolean(attribs['w:styleId']));
  const byId = new Map(named.map((style) => [style.attribs['w:styleId'], style]));
  const usual = childElements(root, 'w:style').find(
    ({ attribs }) => attribs['w:type'] === 'paragraph' && /^(?:1|true|on)$/.test(attribs['w:default'] ?? ''),
  );
  const docDefaults = firstChild(root, 'w:docDefaults');
  const defaults = lookOf(firstChild(firstChild(docDefaults, 'w:rPrDefault'), 'w:rPr'));
  const usualPlace = placeOfParagraph(firstChild(firstChild(docDefaults, 'w:pPrDefault'), 'w:pPr'));
  /** A style and those that it is based on, the most general one first. */
  const chain = (id: string | undefined): XmlElement[] => {
    const found: XmlElement[] = [];
    for (let style = byId.get(id); style && found.length < maxAncestors;) {
      found.unshift(style);
      style = byId.get(valueOf(firstChild(style, 'w:basedOn')));
    }
    return found;
  };
  const known = new Map<string, ParagraphStyle>();
  return {
    paragraph(id: string | undefined) {
      const key = id ?? usual?.attribs['w:styleId'] ?? '';
      const before = known.get(key);
      if (before) return before;
      const style: ParagraphStyle = { look: { ...defaults }, place: { ...usualPlace }, list: undefined };
      for (const each of chain(key)) {
        const properties = firstChild(each, 'w:pPr');
        Object.assign(style.look, lookOf(firstChild(each, 'w:rPr')), shadingOf(properties));
        Object.assign(style.place, placeOfParagraph(properties));
        const list = firstChild(properties, 'w:numPr');
        const listId = valueOf(firstChild(list, 'w:numId')) ?? style.list?.listId;
        const level = valueOf(firstChild(list, 'w:ilvl'));
        if (listId !== undefined)
          style.list = { listId, level: level === undefined ? style.list?.level : Number(level) };
      }
      known.set(key, style);
      return style;
    },
    character: (id: string | undefined) =>
      Object.assign({}, ...chain(id).map((style) => lookOf(firstChild(style, 'w:rPr')))),
  };
}

/** What the properties of a run say themselves. */
export function lookOf(properties: XmlElement | undefined): RunLook {
  if (properties === undefined) return {};
  const look: RunLook = { ...shadingOf(properties) };
  for (const property of childElements(properties)) {
    const value = valueOf(property);
    if (property.name === 'w:vanish') look.isVanished = isOn(value);
    if (property.name === 'w:caps') look.isCapital = isOn(value);
    if (property.name === 'w:vertAlign') look.raised = raisedPlaces[value ?? ''];
    if (property.name === 'w:color') look.color = colorOf(property, value);
    // Letters with an outline or a shadow are seen by it.
    if (drawnOtherwise.has(property.name) && !firstChild(property, 'w14:noFill')) look.isDrawnOtherwise = isOn(value);
    // In half points.
    if (property.name === 'w:sz') Object.assign(look, { isTiny: Number(value) <= 2, size: Number(value) });
    if (property.name === 'w:spacing') look.spacing = Number(value);
    if (property.name === 'w:position') look.isAway = Math.abs(Number(value)) >= beyondPage;
    if (property.name === 'w:w') look.isNarrow = Number.parseFloat(value ?? '100') < minPercentOfWidth;
    if (property.name === 'w14:textFill') Object.assign(look, textFill(property));
    if (property.name === 'w:highlight' && value !== 'none') look.behind = highlights[value ?? ''] ?? unknownBackground;
  }
  return look;
}

const raisedPlaces: Readonly<Record<string, RaisedPlace>> = { superscript: 'super', subscript: 'sub' };
/** Half points that no line of a page is raised or lowered by. */
const beyondPage = 1_400;
/** Of letters of this many half points a size is not named. */
const usualSize = 20;

/** Whether letters stand on each other, as they are half as wide as high at most. */
const isPiled = ({ spacing = 0, size = usualSize }: RunLook): boolean => spacing / 20 <= -size / 4;

/** Narrower letters are lines. */
const minPercentOfWidth = 10;
/** In thousandths of a percent. */
const minTransparency = 95_000;

/** The fill of letters, which Word draws in place of their colour. */
function textFill(fill: XmlElement): Pick<RunLook, 'isUnfilled' | 'color'> {
  if (firstChild(fill, 'w14:noFill')) return { isUnfilled: true };
  const [color] = childElements(firstChild(fill, 'w14:solidFill'));
  if (color === undefined) return { isUnfilled: false };
  const value = color.attribs['w14:val'];
  const changes = childElements(color);
  const alpha = changes.find(({ name }) => name === 'w14:alpha')?.attribs['w14:val'];
  const isUnfilled = Number(alpha ?? 0) >= minTransparency;
  const isShade = changes.some(({ name }) => name !== 'w14:alpha');
  if (isShade) return { isUnfilled, color: undefined };
  if (color.name === 'w14:srgbClr') return { isUnfilled, color: value };
  return { isUnfilled, color: value === 'bg1' || value === 'lt1' ? white : undefined };
}

/** Whether nobody sees letters in this look. */
export const isHiddenLook = (look: RunLook, around: Background): boolean =>
  look.isVanished === true ||
  look.isTiny === true ||
  look.isNarrow === true ||
  look.isAway === true ||
  look.isOutOfSight === true ||
  isPiled(look) ||
  (look.isDrawnOtherwise !== true && (look.isUnfilled === true || looksAlike(look.color, look.behind ?? around)));

/** What properties of a run, paragraph or cell draw behind the letters, if they do. */
export function shadingOf(properties: XmlElement | undefined): Pick<RunLook, 'behind'> {
  const shading = firstChild(properties, 'w:shd');
  if (shading === undefined) return {};
  const { 'w:fill': fill = 'auto', 'w:themeFill': theme, 'w:val': pattern = 'clear' } = shading.attribs;
  if (!/^(?:clear|nil)$/.test(pattern)) return { behind: unknownBackground };
  if (theme === 'background1' && !isShadeOf(shading)) return { behind: white };
  if (!/^auto$/i.test(fill)) return { behind: fill };
  return theme === undefined ? {} : { behind: unknownBackground };
}

const drawnOtherwise = new Set('w:outline w:shadow w:emboss w:imprint w14:textOutline w14:shadow w14:glow'.split(' '));

/** A colour that a run names: of a shade of a colour of the theme, the value is the colour that it is. */
function colorOf(property: XmlElement, value: string | undefined): string | undefined {
  return property.attribs['w:themeColor'] === 'background1' && !isShadeOf(property) ? white : value;
}

/** Whether the colour of the theme is made darker or lighter, as in “White, Background 1, Darker 50%”. */
function isShadeOf({ attribs }: XmlElement): boolean {
  return ['w:themeShade', 'w:themeTint', 'w:themeFillShade', 'w:themeFillTint'].some(
    (name) => attribs[name] !== undefined,
  );
}

/** The colours with which Word marks text. */
const highlights: Readonly<Record<string, string>> = {
  white,
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  yellow: 'FFFF00',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
};

function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}
