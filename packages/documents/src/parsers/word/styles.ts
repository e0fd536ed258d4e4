import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { valueOf } from './numbering.ts';

/** What properties of a run say about whether and how its letters are seen. Undefined: inherited. */
export interface RunLook {
  isVanished?: boolean;
  isWhite?: boolean;
  isTiny?: boolean;
  isShaded?: boolean;
  isCapital?: boolean;
}

interface ParagraphStyle {
  look: RunLook;
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
  const defaults = lookOf(firstChild(firstChild(firstChild(root, 'w:docDefaults'), 'w:rPrDefault'), 'w:rPr'));
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
      const style: ParagraphStyle = { look: { ...defaults }, list: undefined };
      for (const each of chain(key)) {
        const properties = firstChild(each, 'w:pPr');
        Object.assign(style.look, lookOf(firstChild(each, 'w:rPr')), shadingOf(properties));
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
    if (property.name === 'w:color')
      look.isWhite = /^FFFFFF$/i.test(value ?? '') || property.attribs['w:themeColor'] === 'background1';
    // In half points.
    if (property.name === 'w:sz') look.isTiny = Number(value) <= 2;
    if (property.name === 'w:highlight') look.isShaded = value !== 'none' && value !== 'white';
  }
  return look;
}

/** Whether properties of a run, paragraph or cell fill what is behind the letters. */
export function shadingOf(properties: XmlElement | undefined): Pick<RunLook, 'isShaded'> {
  const shading = firstChild(properties, 'w:shd');
  if (shading === undefined) return {};
  const { 'w:fill': fill = 'auto', 'w:themeFill': theme, 'w:val': pattern = 'clear' } = shading.attribs;
  const isFilled = !/^(?:auto|FFFFFF)$/i.test(fill) || (theme !== undefined && theme !== 'background1');
  return { isShaded: isFilled || !/^(?:clear|nil)$/.test(pattern) };
}

function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}
