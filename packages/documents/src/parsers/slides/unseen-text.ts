import { looksAlike, white } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { flatShapes, type FlatShape } from './flat-shapes.ts';
import type { SlidePlace } from './reading-order.ts';
import type { SlideSource } from './shape-content.ts';
import { isCoveredBy } from './covered-text.ts';
import { colorsOf, fillIn, isOpaque, opacityOf } from './slide-colors.ts';
import { inheritedBy } from './slide-frames.ts';

/** Hundredths of a point. */
const [tinySize, usualSize] = [100, 1_800];
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
  const shapesOf = (each: XmlElement | undefined): FlatShape[] =>
    flatShapes(firstChild(firstChild(each, 'p:cSld'), 'p:spTree'), source.base);
  const below = source.isBehind ? [] : [source.base.master, source.base.layout].flatMap(shapesOf);
  const painted = below.flatMap((shape) => paintedBy(shape, source));
  const shapes = shapesOf(slide);
  for (const [at, shape] of shapes.entries()) {
    const isCovered = shapes.length <= maxPainted && isCoveredBy(shapes.slice(at + 1), shape, source);
    const behind = behindLetters(shape, slide, painted, source);
    const styles = [
      ...[firstChild(firstChild(shape.element, 'p:txBody'), 'a:lstStyle') ?? []].flat(),
      ...inheritedBy(shape.element, source.base).styles,
    ];
    const usual = firstChild(firstChild(shape.element, 'p:style'), 'a:fontRef');
    const fit = firstChild(firstChild(firstChild(shape.element, 'p:txBody'), 'a:bodyPr'), 'a:normAutofit');
    const scale =
      Number.parseFloat(fit?.attribs['fontScale'] ?? '100000') /
      (fit?.attribs['fontScale']?.endsWith('%') ? 100 : 100_000);
    taken.push(...takeRuns(shape.element, behind, { styles, usual, scale, isCovered, source }));
    painted.push(...paintedBy(shape, source));
  }
  return taken;
}

interface Letters {
  /** Styles of its paragraphs, the nearest first. */
  styles: readonly XmlElement[];
  /** The colour of letters that name none. */
  usual: XmlElement | undefined;
  scale: number;
  isCovered: boolean;
  source: SlideSource;
}

type Behind = readonly string[] | undefined;

function takeRuns(root: XmlElement, around: Behind, letters: Letters): string[] {
  const taken: string[] = [];
  const waiting: { element: XmlElement; behind: Behind; looks: XmlElement[] }[] = [
    { element: root, behind: around, looks: [] },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { element, looks } = next;
    let { behind } = next;
    if (element.name === 'a:r' || element.name === 'a:fld') {
      if (!isUnseen([firstChild(element, 'a:rPr'), ...looks], behind, letters)) continue;
      for (const node of firstChild(element, 'a:t')?.children ?? []) {
        if (!('data' in node)) continue;
        taken.push(node.data);
        node.data = '';
      }
      continue;
    }
    if (element.name === 'a:tbl' && !isPlainTable(element)) behind = undefined;
    if (element.name === 'a:tc') behind = fillBehind(firstChild(element, 'a:tcPr'), behind, letters.source);
    const level = Number(firstChild(firstChild({ children: [element] }, 'a:p'), 'a:pPr')?.attribs['lvl'] ?? 0);
    const own =
      element.name === 'a:p'
        ? letters.styles.flatMap((style) => firstChild(firstChild(style, `a:lvl${level + 1}pPr`), 'a:defRPr') ?? [])
        : looks;
    waiting.push(...childElements(element).map((child) => ({ element: child, behind, looks: own })));
  }
  return taken;
}

/** Styles of tables without any fill. */
const plainStyles = /^\{(?:2D5ABB26-0587-4C30-8999-92F81FD0307C|5940675A-B579-460E-94D1-54222C63F5DA)\}$/iu;

function isPlainTable(table: XmlElement): boolean {
  const [style] = firstChild(firstChild(table, 'a:tblPr'), 'a:tableStyleId')?.children ?? [];
  return style === undefined || !('data' in style) || plainStyles.test(style.data.trim());
}

/** @param looks properties of a run and of the styles of its paragraph, the nearest first */
function isUnseen(looks: readonly (XmlElement | undefined)[], behind: Behind, letters: Letters): boolean {
  const { base } = letters.source;
  const [properties] = looks;
  if (letters.isCovered) return true;
  const size = looks.find((look) => look?.attribs['sz'] !== undefined)?.attribs['sz'];
  if (Number(size ?? usualSize) * letters.scale <= tinySize) return true;
  const mark = firstChild(properties, 'a:highlight');
  const ground = mark === undefined ? behind : colorsOf(mark, base.colors);
  const isAlike = (fill: XmlElement | undefined): boolean => {
    const colors = colorsOf(fill, base.colors);
    return (
      colors !== undefined &&
      ground !== undefined &&
      colors.every((one) => ground.every((other) => looksAlike(one, other)))
    );
  };
  const line = firstChild(properties, 'a:ln');
  const drawn = fillIn(line);
  if (line && !firstChild(line, 'a:noFill') && !isClear(drawn) && !isAlike(drawn)) return false;
  if (firstChild(properties, 'a:noFill')) return true;
  const fill = looks.map(fillIn).find((each) => each !== undefined) ?? letters.usual;
  if (isClear(fill)) return true;
  // A shadow or a glow shows letters of any colour.
  const effects = childElements(firstChild(properties, 'a:effectLst'));
  if (effects.some((effect) => /^a:(?:outerShdw|glow)$/u.test(effect.name) && shows(effect, isAlike))) return false;
  return isAlike(fill);
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
  { element, place }: FlatShape,
  slide: XmlElement,
  painted: readonly Painted[],
  source: SlideSource,
): Behind {
  if (element.name === 'p:pic' || painted.length > maxPainted) return undefined;
  const reached = painted.filter((other) => !place || !other.place || overlaps(place, other.place));
  const ground = behindShapes(slide, source);
  const colors = reached.map((each) => each.colors);
  const around = colors.includes(undefined)
    ? undefined
    : ground && [...ground, ...colors.flatMap((each) => each ?? [])];
  const own = [firstChild(element, 'p:spPr'), ...inheritedBy(element, source.base).places];
  const filled = own.find((each) => fillIn(each) ?? firstChild(each, 'a:noFill'));
  if (filled !== undefined) return firstChild(filled, 'a:noFill') ? around : fillBehind(filled, around, source);
  return hasStyledFill(element) ? undefined : around;
}

const hasStyledFill = (shape: XmlElement): boolean =>
  Number(firstChild(firstChild(shape, 'p:style'), 'a:fillRef')?.attribs['idx'] ?? 0) > 0;

/** What a shape paints over the slide. Shapes without a fill paint their letters alone. */
function paintedBy({ element, place }: FlatShape, { base }: SlideSource): Painted[] {
  if (element.name === 'p:cxnSp') return [];
  if (element.name !== 'p:sp') return [{ place, colors: undefined }];
  const properties = firstChild(element, 'p:spPr');
  const fill = fillIn(properties);
  if (fill !== undefined) return isClear(fill) ? [] : [{ place, colors: colorsOf(fill, base.colors) }];
  return hasStyledFill(element) && !firstChild(properties, 'a:noFill') ? [{ place, colors: undefined }] : [];
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
