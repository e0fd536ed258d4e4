import { looksAlike, unknownBackground, white, type Background } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { SlidePlace } from './reading-order.ts';
import type { SlideSource } from './shape-content.ts';
import { inheritedBy, placeOf } from './slide-frames.ts';

/** Hundredths of a point. */
const tinySize = 100;
/** Percent. */
const minOpacity = 5;

/**
 * Takes the runs out whose letters nobody sees: without a colour and an outline, of a point at most, or in the colour of what is behind
 * them. Returns their texts.
 */
export function takeUnseenRuns(slide: XmlElement, source: SlideSource): string[] {
  const taken: string[] = [];
  const tree = firstChild(firstChild(slide, 'p:cSld'), 'p:spTree');
  const painted: SlidePlace[] = (source.isBehind ? [] : [source.base.master, source.base.layout]).flatMap((behind) =>
    childElements(firstChild(firstChild(behind, 'p:cSld'), 'p:spTree')).flatMap((shape) =>
      placeOfPainted(shape, source),
    ),
  );
  for (const shape of childElements(tree)) {
    const behind = shape.name === 'p:sp' ? behindLetters(shape, slide, painted, source) : unknownBackground;
    taken.push(...takeRuns(shape, (properties) => isUnseen(properties, behind, source)));
    painted.push(...placeOfPainted(shape, source));
  }
  return taken;
}

function takeRuns(root: XmlElement, isTaken: (properties: XmlElement | undefined) => boolean): string[] {
  const taken: string[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name !== 'a:r' && element.name !== 'a:fld') waiting.push(...childElements(element));
    else if (isTaken(firstChild(element, 'a:rPr'))) {
      for (const node of firstChild(element, 'a:t')?.children ?? []) {
        if (!('data' in node)) continue;
        taken.push(node.data);
        node.data = '';
      }
    }
  }
  return taken;
}

function isUnseen(properties: XmlElement | undefined, behind: Background, source: SlideSource): boolean {
  if (Number(properties?.attribs['sz'] ?? Infinity) <= tinySize) return true;
  const line = firstChild(properties, 'a:ln');
  if (line && !firstChild(line, 'a:noFill')) return false;
  if (firstChild(properties, 'a:noFill')) return true;
  const fill = firstChild(properties, 'a:solidFill');
  const [color] = childElements(fill);
  const { val: alpha = '100%' } = firstChild(color, 'a:alpha')?.attribs ?? {};
  if (Number.parseFloat(alpha) / (alpha.endsWith('%') ? 1 : 1_000) < minOpacity) return true;
  // A shadow or a glow shows letters of any colour.
  if (childElements(firstChild(properties, 'a:effectLst')).some(({ name }) => /^a:(?:outerShdw|glow)$/u.test(name)))
    return false;
  return firstChild(properties, 'a:highlight') === undefined && looksAlike(colorIn(fill, source), behind);
}

const fills = /^a:(?:solid|grad|blip|patt|grp)Fill$/u;

/** What is behind the letters of a shape: its own fill, or the slide where no other shape is painted there. */
function behindLetters(
  shape: XmlElement,
  slide: XmlElement,
  painted: readonly SlidePlace[],
  source: SlideSource,
): Background {
  const own = [firstChild(shape, 'p:spPr'), ...inheritedBy(shape, source.base).places];
  for (const properties of own) {
    if (firstChild(properties, 'a:noFill')) break;
    const fill = childElements(properties).find(({ name }) => fills.test(name));
    if (fill) return colorIn(fill, source) ?? unknownBackground;
  }
  if (Number(firstChild(firstChild(shape, 'p:style'), 'a:fillRef')?.attribs['idx'] ?? 0) > 0) return unknownBackground;
  const place = reachOf(own);
  const isPlaced = place.width > 0 && place.height > 0;
  if (painted.length > maxPainted) return unknownBackground;
  return painted.some((other) => !isPlaced || overlaps(place, other)) ? unknownBackground : behindShapes(slide, source);
}

/** The place of what is painted over the slide; of a group, all that it covers. Shapes without a fill paint their letters alone. */
function placeOfPainted(shape: XmlElement, { base }: SlideSource): SlidePlace[] {
  const properties = firstChild(shape, 'p:spPr') ?? firstChild(shape, 'p:grpSpPr') ?? shape;
  if (shape.name === 'p:sp') {
    const isStyled = Number(firstChild(firstChild(shape, 'p:style'), 'a:fillRef')?.attribs['idx'] ?? 0) > 0;
    const isFilled = childElements(properties).some(({ name }) => fills.test(name));
    if (!isFilled && !isStyled) return [];
  } else if (!/^(?:p:(?:pic|grpSp|graphicFrame)|mc:AlternateContent)$/u.test(shape.name)) return [];
  const place = reachOf([properties, ...inheritedBy(shape, base).places]);
  const isPlaced = place.width > 0 && place.height > 0;
  return [isPlaced ? place : { top: 0, left: 0, width: Infinity, height: Infinity }];
}

/** On a slide with more shapes, what is behind a text is not looked for. */
const maxPainted = 500;
/** Sixty thousandths of a degree. */
const halfTurn = 10_800_000;

/** The place of a shape; of one that is turned, all that it can cover. */
function reachOf(properties: readonly (XmlElement | undefined)[]): SlidePlace {
  const place = placeOf(properties);
  const frame = properties.map((each) => firstChild(each, 'a:xfrm')).find((each) => firstChild(each, 'a:off'));
  if (Number(frame?.attribs['rot'] ?? 0) % halfTurn === 0) return place;
  const side = Math.hypot(place.width, place.height);
  const [left, top] = [place.left + (place.width - side) / 2, place.top + (place.height - side) / 2];
  return { left, top, width: side, height: side };
}

function overlaps(one: SlidePlace, other: SlidePlace): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}

/** The background of a slide: its own, or that of its layout or master. */
function behindShapes(slide: XmlElement, source: SlideSource): Background {
  for (const each of [slide, source.base.layout, source.base.master]) {
    const background = firstChild(firstChild(each, 'p:cSld'), 'p:bg');
    if (background === undefined) continue;
    const reference = firstChild(background, 'p:bgRef');
    const fill = childElements(firstChild(background, 'p:bgPr')).find(({ name }) => fills.test(name));
    // The first background of a theme is the colour alone.
    const color = reference?.attribs['idx'] === '1001' ? reference : fill;
    return colorIn(color, source) ?? unknownBackground;
  }
  return white;
}

/** The colour that a fill names, where nothing is computed from it. */
function colorIn(fill: XmlElement | undefined, { base }: SlideSource): string | undefined {
  if (fill?.name !== 'a:solidFill' && fill?.name !== 'p:bgRef') return undefined;
  const [color] = childElements(fill);
  if (color === undefined || childElements(color).length > 0) return undefined;
  const { val = '', lastClr } = color.attribs;
  if (color.name === 'a:srgbClr') return val;
  if (color.name === 'a:sysClr') return lastClr;
  return color.name === 'a:schemeClr' ? base.colors.get(val) : undefined;
}

/** The colours of a theme by their own names, and by those that a master gives them. */
export function themeColors(theme: XmlElement | undefined, names: XmlElement | undefined): Map<string, string> {
  const scheme = firstChild(firstChild(theme, 'a:themeElements') ?? theme, 'a:clrScheme');
  const colors = new Map(
    childElements(scheme).flatMap((each) => {
      const { val, lastClr } = childElements(each)[0]?.attribs ?? {};
      const color = lastClr ?? val;
      return color === undefined ? [] : [[each.name.replace(/^a:/u, ''), color] as const];
    }),
  );
  const given = Object.entries(names?.attribs ?? {}).flatMap(([name, own]) => {
    const color = colors.get(own);
    return color === undefined ? [] : [[name, color] as const];
  });
  return new Map([...colors, ...given]);
}
