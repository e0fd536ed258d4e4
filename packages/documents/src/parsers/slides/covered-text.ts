import {
  fillIn,
  isOpaque,
  isOpaquePicture,
  isPlainRectangle,
  minOpaque,
  opacityOf,
  percent,
} from '../drawing/opaque-drawing.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { reachOf, type FlatShape } from './flat-shapes.ts';
import { holds, type SlidePlace } from './reading-order.ts';
import type { SlideSource } from './shape-content.ts';
import { placeholderOf } from './slide-frames.ts';

/** How a shape writes its letters. */
interface LetterStyle {
  /** Styles of its paragraphs, the nearest first. */
  styles: readonly XmlElement[];
  scale: number;
}

/** Hundredths of a point. */
export const usualSize = 1_800;

/** Finds out whether one of the shapes that are painted later covers all letters of a shape. */
export function coverFinder(
  shapes: readonly FlatShape[],
  source: SlideSource,
): (shape: FlatShape, at: number, style: LetterStyle) => boolean {
  const known = new Map<FlatShape, boolean>();
  const isCover = (shape: FlatShape): boolean => {
    const found = known.get(shape) ?? covers(shape, source);
    known.set(shape, found);
    return found;
  };
  return (shape, at, style) => {
    if (shape.element.name !== 'p:sp' || shape.isAnimated || !firstChild(shape.element, 'p:txBody')) return false;
    const letters = reachOfLetters(shape, style);
    if (letters === undefined) return false;
    for (let index = at + 1; index < shapes.length; index += 1) {
      const { frame } = shapes[index]!;
      if (frame && holds(frame, letters) && isCover(shapes[index]!)) return true;
    }
    return false;
  };
}

/** EMU of a hundredth of a point. */
const perSize = 127;
/** Shares of the size: the widest usual letter, a capital letter, one of East Asia, and a line. */
const [letterWidth, capitalWidth, squareWidth, lineHeight] = [0.6, 0.8, 1, 1.25];
const firstSquare = 0x11_00;
/** The share of a line that words fill. */
const filledShare = 0.8;
const usualInsets = { lIns: 91_440, rIns: 91_440, tIns: 45_720, bIns: 45_720 };

/** All that the letters of a shape can reach: more of them than fit stand above, below or beside it. */
function reachOfLetters({ element, frame, isTurned }: FlatShape, style: LetterStyle): SlidePlace | undefined {
  const body = firstChild(element, 'p:txBody');
  const properties = firstChild(body, 'a:bodyPr')?.attribs ?? {};
  const { wrap, vert = 'horz', rot = '0', numCol = '1' } = properties;
  if (frame === undefined || vert !== 'horz' || Number(rot) !== 0 || Number(numCol) > 1) return undefined;
  const inset = (side: keyof typeof usualInsets): number => Number(properties[side] ?? usualInsets[side]);
  const beside = inset('lIns') + inset('rIns');
  const room = wrap === 'none' ? Infinity : frame.width - beside;
  const sizes = childElements(body, 'a:p').map((paragraph) => sizeOfParagraph(paragraph, room, style));
  const widest = Math.max(0, ...sizes.map(({ width }) => width)) + beside;
  const height = sizes.reduce((sum, each) => sum + each.height, 0) + inset('tIns') + inset('bIns');
  const across = Math.max(0, -inset('lIns'), -inset('rIns'), widest - frame.width);
  const down = Math.max(0, -inset('tIns'), -inset('bIns'), height - frame.height);
  const { left, top } = frame;
  const reach = {
    left: left - across,
    top: top - down,
    width: frame.width + 2 * across,
    height: frame.height + 2 * down,
  };
  return reachOf(reach, isTurned);
}

function sizeOfParagraph(paragraph: XmlElement, room: number, { styles, scale }: LetterStyle) {
  const own = firstChild(paragraph, 'a:pPr');
  const level = `a:lvl${Number(own?.attribs['lvl'] ?? 0) + 1}pPr`;
  const ofLevel = [own, ...styles.map((style) => firstChild(style, level))];
  const ofLetters = ofLevel.map((each) => firstChild(each, 'a:defRPr'));
  const lines: { width: number; size: number }[] = [];
  let [width, largest] = [0, 0];
  const endLine = (): void => {
    lines.push({ width, size: largest });
    [width, largest] = [0, 0];
  };
  for (const run of childElements(paragraph)) {
    if (run.name === 'a:br') endLine();
    if (!/^a:(?:r|fld|br|endParaRPr)$/u.test(run.name)) continue;
    const looks = [run.name === 'a:endParaRPr' ? run : firstChild(run, 'a:rPr'), ...ofLetters];
    const get = (name: string): string | undefined =>
      looks.find((look) => look?.attribs[name] !== undefined)?.attribs[name];
    const size = Number(get('sz') ?? usualSize) * scale * perSize;
    if (run.name !== 'a:endParaRPr' || largest === 0) largest = Math.max(largest, size);
    const gap = Math.max(0, Number(get('spc') ?? 0)) * perSize;
    const isCapital = get('cap') === 'all';
    for (const node of firstChild(run, 'a:t')?.children ?? []) {
      if (!('data' in node)) continue;
      for (const letter of node.data) width += gap + size * widthOf(letter, isCapital);
    }
  }
  endLine();
  const usual = Number(ofLetters.find((look) => look?.attribs['sz'] !== undefined)?.attribs['sz'] ?? usualSize);
  const spacing = (name: string): XmlElement | undefined =>
    ofLevel.map((each) => firstChild(each, name)).find((each) => each !== undefined);
  const margin = Number(ofLevel.find((each) => each?.attribs['marL'] !== undefined)?.attribs['marL'] ?? 0);
  const left = Math.max(room - Math.max(margin, 0), 1);
  let [height, widest] = [0, 0];
  for (const line of lines) {
    const size = line.size || usual * scale * perSize;
    const own = size * lineHeight;
    const count = line.width <= left ? 1 : Math.ceil(line.width / Math.max(left * filledShare, size * letterWidth));
    height += count * lengthOf(spacing('a:lnSpc'), own, own);
    widest = Math.max(widest, (count === 1 ? line.width : 0) + Math.max(margin, 0));
  }
  const size = (lines[0]?.size || usual * scale * perSize) * lineHeight;
  height += lengthOf(spacing('a:spcBef'), size, 0) + lengthOf(spacing('a:spcAft'), size, 0);
  return { width: widest, height };
}

/** A spacing in EMU: of points, or a share of a line. */
function lengthOf(spacing: XmlElement | undefined, line: number, usual: number): number {
  const [value] = childElements(spacing);
  if (value?.name === 'a:spcPts') return Number(value.attribs['val'] ?? 0) * perSize;
  return value?.name === 'a:spcPct' ? (line * percent(value.attribs['val'])) / 100 : usual;
}

function widthOf(letter: string, isCapital: boolean): number {
  if (letter.codePointAt(0)! >= firstSquare) return squareWidth;
  return isCapital || letter !== letter.toLowerCase() ? capitalWidth : letterWidth;
}

/** Whether nothing is seen through a shape while its slide is shown: a filled rectangle, or a picture without transparent parts. */
function covers({ element, isTurned, isAnimated }: FlatShape, source: SlideSource): boolean {
  const properties = firstChild(element, 'p:spPr');
  if (isTurned || isAnimated || !isPlainRectangle(properties)) return false;
  if (element.name === 'p:pic') return isOpaquePicture(firstChild(element, 'p:blipFill'), source);
  // A show leaves frames out that nobody has filled in.
  const isEmptyFrame = placeholderOf(element) !== undefined && drawnParagraphs(element).length === 0;
  const fill = fillIn(properties);
  if (element.name !== 'p:sp' || isEmptyFrame || firstChild(properties, 'a:noFill')) return false;
  return fill === undefined ? hasOpaqueStyle(element, source) : isOpaque(fill);
}

/** Whether the style of a shape without a fill of its own has one through which nothing is seen. */
function hasOpaqueStyle(shape: XmlElement, { base }: SlideSource): boolean {
  const reference = firstChild(firstChild(shape, 'p:style'), 'a:fillRef');
  const color = childElements(reference)[0];
  return base.opaqueFills.has(Number(reference?.attribs['idx'])) && opacityOf(color) >= minOpaque;
}
