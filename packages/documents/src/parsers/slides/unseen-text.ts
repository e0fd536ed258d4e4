import { looksAlike, white } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { fillIn, isOpaque, opacityOf, percent } from '../drawing/opaque-drawing.ts';
import { coverFinder, usualSize } from './covered-text.ts';
import { flatShapes, reachOf, type FlatShape } from './flat-shapes.ts';
import type { SlidePlace } from './reading-order.ts';
import type { SlideSource } from './shape-content.ts';
import { colorsOf } from './slide-colors.ts';
import { inheritedBy, placeholderOf } from './slide-frames.ts';

/** Hundredths of a point. */
const tinySize = 100;
/** Percent. */
const minOpacity = 5;

/** What is painted somewhere; without colours if they are not known, as those of a picture. */
interface Painted {
  place: SlidePlace | undefined;
  colors: readonly string[] | undefined;
}

/**
 * Takes the runs out whose letters nobody sees: without a colour and an outline, of a point at most, or in the colour of what is behind
 * them. Returns their texts.
 */
export function takeUnseenRuns(slide: XmlElement, source: SlideSource): string[] {
  const taken: string[] = [];
  const isShown = (each: XmlElement | undefined): boolean =>
    !/^(?:0|false)$/u.test(each?.attribs['showMasterSp'] ?? '');
  const { master, layout } = source.base;
  const below = source.isBehind || !isShown(slide) ? [] : [...(isShown(layout) ? [master] : []), layout];
  const painted = below
    .flatMap((each) => flatShapes(each, source.base))
    // A slide shows its own frames in place of these.
    .filter(({ element }) => placeholderOf(element) === undefined)
    .flatMap((shape) => paintedBy(shape, source));
  const shapes = flatShapes(slide, source.base);
  const isCoveredShape = coverFinder(shapes, source);
  for (const [at, shape] of shapes.entries()) {
    const behind = behindLetters(shape, slide, painted, source);
    const body = firstChild(shape.element, 'p:txBody');
    const own = [firstChild(body, 'a:lstStyle') ?? []].flat();
    const based = inheritedBy(shape.element, source.base).styles;
    const usual = firstChild(firstChild(shape.element, 'p:style'), 'a:fontRef');
    const fit = firstChild(firstChild(body, 'a:bodyPr'), 'a:normAutofit');
    const scale = percent(fit?.attribs['fontScale']) / 100;
    const isCovered = shapes.length <= maxPainted && isCoveredShape(shape, at, { styles: [...own, ...based], scale });
    taken.push(...takeRuns(shape.element, behind, { own, usual, based, scale, isCovered, source }));
    painted.push(...paintedBy(shape, source));
  }
  return taken;
}

interface Letters {
  /** The shape's own styles of its paragraphs. */
  own: readonly XmlElement[];
  /** The colour that it gives its letters. It stands before the styles that the shape is based on, the nearest of which comes first. */
  usual: XmlElement | undefined;
  based: readonly XmlElement[];
  scale: number;
  isCovered: boolean;
  source: SlideSource;
}

type Behind = readonly string[] | undefined;

/** An element of a shape with what its letters take from around them. */
interface Inside {
  element: XmlElement;
  behind: Behind;
  /** Properties of letters of the styles of its paragraph, the nearest first. */
  looks: readonly XmlElement[];
  /** The colour of letters that name none; undefined if it is not known. */
  fill: XmlElement | undefined;
  /** In a table with a style, whose colours are not computed. */
  isStyled: boolean;
}

function takeRuns(root: XmlElement, around: Behind, letters: Letters): string[] {
  const taken: string[] = [];
  const waiting: Inside[] = [{ element: root, behind: around, looks: [], fill: undefined, isStyled: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { element } = next;
    if (element.name === 'a:r' || element.name === 'a:fld') {
      if (!isUnseen(next, letters)) continue;
      for (const node of firstChild(element, 'a:t')?.children ?? []) {
        if (!('data' in node)) continue;
        taken.push(node.data);
        node.data = '';
      }
      continue;
    }
    const inside = { ...next };
    if (element.name === 'a:tbl' && !isPlainTable(element))
      Object.assign(inside, { behind: undefined, isStyled: true });
    if (element.name === 'a:tc') inside.behind = fillBehind(firstChild(element, 'a:tcPr'), next.behind, letters.source);
    if (element.name === 'a:p') {
      const level = `a:lvl${Number(firstChild(element, 'a:pPr')?.attribs['lvl'] ?? 0) + 1}pPr`;
      const ofLevel = (styles: readonly XmlElement[]): XmlElement[] =>
        styles.flatMap((style) => firstChild(firstChild(style, level), 'a:defRPr') ?? []);
      const [own, based] = [ofLevel(letters.own), ofLevel(letters.based)];
      const usual = childElements(letters.usual).length > 0 ? letters.usual : undefined;
      inside.looks = [...own, ...based];
      if (!next.isStyled) inside.fill = firstFill(own) ?? usual ?? firstFill(based);
    }
    waiting.push(...childElements(element).map((child) => ({ ...inside, element: child })));
  }
  return taken;
}

const firstFill = (looks: readonly XmlElement[]): XmlElement | undefined =>
  looks.flatMap((each) => fillIn(each) ?? [])[0];

/** Styles of tables without any fill. */
const plainStyles = /^\{(?:2D5ABB26-0587-4C30-8999-92F81FD0307C|5940675A-B579-460E-94D1-54222C63F5DA)\}$/iu;

function isPlainTable(table: XmlElement): boolean {
  const [style] = firstChild(firstChild(table, 'a:tblPr'), 'a:tableStyleId')?.children ?? [];
  return style === undefined || !('data' in style) || plainStyles.test(style.data.trim());
}

function isUnseen({ element, behind, looks, fill: usual }: Inside, { isCovered, scale, source }: Letters): boolean {
  const { colors: theme } = source.base;
  const properties = firstChild(element, 'a:rPr');
  if (isCovered) return true;
  const size = [properties, ...looks].find((look) => look?.attribs['sz'] !== undefined)?.attribs['sz'];
  if (Number(size ?? usualSize) * scale <= tinySize) return true;
  const mark = firstChild(properties, 'a:highlight');
  const ground = mark === undefined ? behind : colorsOf(mark, theme);
  const isLikeGround = (colors: readonly string[] | undefined): boolean =>
    colors !== undefined &&
    ground !== undefined &&
    colors.every((one) => ground.every((other) => looksAlike(one, other)));
  const isAlike = (fill: XmlElement | undefined): boolean => isLikeGround(colorsOf(fill, theme));
  const line = firstChild(properties, 'a:ln');
  const drawn = fillIn(line);
  if (line && !firstChild(line, 'a:noFill') && !isClear(drawn) && !isAlike(drawn)) return false;
  if (firstChild(properties, 'a:noFill')) return true;
  const fill = fillIn(properties) ?? usual;
  if (isClear(fill)) return true;
  // A shadow or a glow shows letters of any colour.
  const effects = childElements(firstChild(properties, 'a:effectLst'));
  if (effects.some((effect) => /^a:(?:outerShdw|glow)$/u.test(effect.name) && shows(effect, isAlike))) return false;
  return hasLinkColor(properties) ? isLikeGround([theme.get('hlink') ?? '']) : isAlike(fill);
}

/** Whether the letters of a link have the colour of the theme for links, also if they name a colour of their own. */
function hasLinkColor(properties: XmlElement | undefined): boolean {
  const link = firstChild(properties, 'a:hlinkClick');
  const more = childElements(firstChild(link, 'a:extLst')).flatMap((each) => childElements(each));
  const isOwn = more.some(({ name, attribs }) => name.endsWith(':hlinkClr') && attribs['val'] === 'tx');
  return link !== undefined && !isOwn;
}

function shows(effect: XmlElement, isAlike: (fill: XmlElement) => boolean): boolean {
  const [color] = childElements(effect);
  return color === undefined || (opacityOf(color) >= minOpacity && !isAlike(effect));
}

/** Whether all colours of a fill are transparent. */
function isClear(fill: XmlElement | undefined): boolean {
  const stops = childElements(firstChild(fill, 'a:gsLst'), 'a:gs');
  const painted = stops.length > 0 ? stops : fill?.name === 'a:solidFill' ? [fill] : [];
  return painted.length > 0 && painted.every((each) => opacityOf(childElements(each)[0]) < minOpacity);
}

/** What is behind letters with these properties of their shape or cell: its fill, or what was behind that. */
function fillBehind(properties: XmlElement | undefined, behind: Behind, { base }: SlideSource): Behind {
  const fill = fillIn(properties);
  if (fill === undefined || isClear(fill)) return behind;
  const colors = colorsOf(fill, base.colors);
  return isOpaque(fill) || fill.name === 'a:pattFill' ? colors : colors && behind && [...colors, ...behind];
}

/** What is behind the letters of a shape: its own fill, or the slide with what is painted there. */
function behindLetters(
  { element, frame, isTurned }: FlatShape,
  slide: XmlElement,
  painted: readonly Painted[],
  source: SlideSource,
): Behind {
  if (element.name === 'p:pic' || painted.length > maxPainted) return undefined;
  const place = reachOf(frame, isTurned);
  const reached = painted.filter((other) => !place || !other.place || overlaps(place, other.place));
  const ground = behindShapes(slide, source);
  const colors = reached.map((each) => each.colors);
  const around = colors.includes(undefined)
    ? undefined
    : ground && [...ground, ...colors.flatMap((each) => each ?? [])];
  const filled = filledBy(element, source);
  if (filled !== undefined) return firstChild(filled, 'a:noFill') ? around : fillBehind(filled, around, source);
  return hasStyledFill(element) ? undefined : around;
}

/** The properties that say how a shape is filled: its own, or those of a frame that it is based on. */
function filledBy(shape: XmlElement, { base }: SlideSource): XmlElement | undefined {
  const properties = [firstChild(shape, 'p:spPr'), ...inheritedBy(shape, base).places];
  return properties.find((each) => fillIn(each) ?? firstChild(each, 'a:noFill'));
}

const hasStyledFill = (shape: XmlElement): boolean =>
  Number(firstChild(firstChild(shape, 'p:style'), 'a:fillRef')?.attribs['idx'] ?? 0) > 0;

/** What a shape paints over the slide. Shapes without a fill paint their letters alone. */
function paintedBy({ element, frame, isTurned }: FlatShape, source: SlideSource): Painted[] {
  const place = reachOf(frame, isTurned);
  if (element.name === 'p:cxnSp') return [];
  if (element.name !== 'p:sp') return [{ place, colors: undefined }];
  const filled = filledBy(element, source);
  const fill = fillIn(filled);
  if (fill !== undefined) return isClear(fill) ? [] : [{ place, colors: colorsOf(fill, source.base.colors) }];
  return hasStyledFill(element) && filled === undefined ? [{ place, colors: undefined }] : [];
}

/** On a slide with more shapes, what is behind a text is not looked for. */
const maxPainted = 2_000;

function overlaps(one: SlidePlace, other: SlidePlace): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}

/** The background of a slide: its own, or that of its layout or master. */
function behindShapes(slide: XmlElement, source: SlideSource): Behind {
  for (const each of [slide, source.base.layout, source.base.master]) {
    const background = firstChild(firstChild(each, 'p:cSld'), 'p:bg');
    if (background === undefined) continue;
    const reference = firstChild(background, 'p:bgRef');
    // The first background of a theme is the colour alone.
    const color = reference?.attribs['idx'] === '1001' ? reference : fillIn(firstChild(background, 'p:bgPr'));
    return colorsOf(color, source.base.colors);
  }
  return [white];
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
