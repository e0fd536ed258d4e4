import { readColor } from './colors.ts';
import { lengthOf } from './lengths.ts';
import type { Declarations } from './style-sheet.ts';

/** Pixels beyond an edge of the window from which nothing can be scrolled into view. */
const far = 900;
/** Pixels to the right of the window that no page is as wide as. */
const wide = 5_000;
/** Width of the window in pixels. */
const viewport = 1_280;
/** A box that is not larger shows nothing. Pixels. */
const speck = 2;
/** A share of opacity or size that nobody sees. */
const faint = 0.04;
/** Characters of a mask that are looked at. */
const maxStops = 2_000;
/** Blurred so far that no letter is told from another, in pixels. */
const blurred = 20;

/**
 * Whether declarations put an element where nobody sees it, make it clear, or leave no room for it.
 *
 * @param cell of a cell of a table: whether the table has a width of its own
 */
export function isOutOfSight(declared: Declarations, cell?: { isInWideTable: boolean }): boolean {
  const get = (property: string): string => declared.get(property) ?? '';
  return (
    isClear(get('opacity')) ||
    get('content-visibility') === 'hidden' ||
    isFilteredAway(get('filter')) ||
    isMaskedAway(get('mask-image')) ||
    isMovedAway(get) ||
    isClipped(get('clip'), get('clip-path')) ||
    hasNoRoom(get, cell) ||
    isFlat(get)
  );
}

type Get = (property: string) => string;

/** The arguments of each function of a value. */
const functionsIn = (value: string): [name: string, list: string[]][] =>
  [...value.matchAll(/(?<![\w-])([a-z][\w-]*)\(([^()]*)\)/g)].map(([, name = '', list = '']) => [
    name,
    list
      .trim()
      .split(/\s*,\s*|\s+/)
      .filter(Boolean),
  ]);

function isClear(value: string): boolean {
  const [, digits, percent] = /^([\d.]+)(%?)$/.exec(value.trim()) ?? [];
  const share = digits === undefined ? lengthOf(value) : Number(digits) / (percent === '%' ? 100 : 1);
  return value !== '' && share !== undefined && share <= faint;
}

const isFilteredAway = (filter: string): boolean =>
  functionsIn(filter).some(([name, [amount = '']]) =>
    name === 'blur' ? (lengthOf(amount) ?? 0) >= blurred : /^(?:opacity|contrast)$/.test(name) && isClear(amount),
  );

/** A mask of one transition between clear colours. */
function isMaskedAway(mask: string): boolean {
  const [, stops] = /^[a-z-]*gradient\((.*)\)$/.exec(mask.trim()) ?? [];
  if (stops === undefined || stops.length > maxStops) return false;
  const colors = stops
    .split(/,(?![^(]*\))/)
    .filter((stop) => !/^\s*(?:to |from |circle|ellipse|at |-?[\d.]+(?:deg|turn|rad))/.test(stop));
  return (
    colors.length > 0 &&
    colors.every((stop) => {
      const color = readColor(stop.trim().replace(/(?:\s+[-\d.]+(?:%|[a-z]+))+$/, ''));
      return typeof color === 'object' && color[3] <= faint;
    })
  );
}

const length = (text: string): number => lengthOf(text) ?? 0;
const percentOf = (text: string): number => Number(/^(-?[\d.]+)%$/.exec(text.trim())?.[1] ?? 0);

function isMovedAway(get: Get): boolean {
  const position = get('position');
  if (/^(?:absolute|fixed|relative|sticky)$/.test(position)) {
    if (['left', 'top', 'right', 'bottom'].some((side) => length(get(side)) <= -far)) return true;
    if (['left', 'right', 'bottom'].some((side) => length(get(side)) >= wide)) return true;
    if (['left', 'top'].some((side) => percentOf(get(side)) <= -far)) return true;
    // What is fixed is never scrolled into the window.
    if (position === 'fixed' && (length(get('top')) >= far || length(get('bottom')) >= far)) return true;
    if (position === 'fixed' && length(get('left')) >= viewport) return true;
  }
  // A margin that a padding makes up for moves nothing: a background as wide as the window is painted so.
  const isMoved = (side: string): boolean => length(get(`margin-${side}`)) + length(get(`padding-${side}`)) <= -far;
  if (length(get('text-indent')) <= -far || isMoved('left') || isMoved('top')) return true;
  if (length(get('text-indent')) >= wide) return true;
  const moves = functionsIn(get('transform')).flatMap(([name, list]) => {
    if (name === 'matrix') return list.slice(4, 6);
    if (name === 'matrix3d') return list.slice(12, 14);
    return name.startsWith('translate') ? list.slice(0, 2) : [];
  });
  return [...moves, ...get('translate').split(/\s+/)].some(
    (step) => length(step) <= -far || length(step) >= wide || percentOf(step) <= -far,
  );
}

function isClipped(clip: string, path: string): boolean {
  if (/^rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)/.test(clip)) return true;
  return functionsIn(path).some(([name, list]) => {
    switch (name) {
      case 'inset': {
        const sides = list.slice(0, list.includes('round') ? list.indexOf('round') : 4);
        const [top = '', right = top, bottom = top, left = right] = sides;
        if (sides.some((side) => length(side) >= far)) return true;
        return percentOf(top) + percentOf(bottom) >= 100 || percentOf(left) + percentOf(right) >= 100;
      }
      case 'circle':
      case 'ellipse':
        return isNone(list[0] ?? '') || (name === 'ellipse' && isNone(list[1] ?? ''));
      case 'rect':
        return [0, 1].some((at) => list[at] !== 'auto' && list[at] !== undefined && list[at] === list[at + 2]);
      case 'xywh':
        return isNone(list[2] ?? '') || isNone(list[3] ?? '');
      case 'polygon':
        return areaOf(list.filter((each) => !/^(?:nonzero|evenodd)$/.test(each))) <= speck;
      case 'path':
        return !/[lhvcsqta]/i.test(list.join(' '));
      default:
        return false;
    }
  });
}

const isNone = (size: string): boolean => /^-?0+(?:\.0*)?(?:%|[a-z]+)?$/.test(size);

/** The area of a polygon in pixels, a per cent being as much as a pixel. Infinite if a point is not known. */
function areaOf(coordinates: readonly string[]): number {
  const points = coordinates.map((each) => (each.endsWith('%') ? percentOf(each) : (lengthOf(each) ?? Number.NaN)));
  let area = 0;
  for (let at = 0; at + 1 < points.length; at += 2) {
    const next = (at + 2) % points.length;
    area += points[at]! * points[next + 1]! - points[next]! * points[at + 1]!;
  }
  return Number.isNaN(area) ? Infinity : Math.abs(area) / 2;
}

/** A box that cuts off what does not fit into it and has no room for a letter. */
function hasNoRoom(get: Get, cell: { isInWideTable: boolean } | undefined): boolean {
  const isSpeck = (size: string): boolean => (/^0%$/.test(size) ? 0 : (lengthOf(size) ?? Infinity)) <= speck;
  const contained = get('contain');
  const clips =
    /hidden|clip|auto|scroll/.test(`${get('overflow')} ${get('overflow-x')} ${get('overflow-y')}`) ||
    /paint|strict|content/.test(contained);
  if (!clips) return false;
  // A cell grows with its words and its table: only a largest width holds it back, unless the table shares its own width out.
  if (cell !== undefined)
    return isSpeck(get('max-width')) && !cell.isInWideTable && !/^0*[1-9][\d.]*%$/.test(get('width'));
  const sizes = ['width', 'height', 'max-height', 'max-width', 'block-size', 'inline-size', 'max-block-size'];
  if (sizes.some((side) => isSpeck(get(side)))) return true;
  const isUnsized = ['height', 'block-size', 'min-height'].every((side) => get(side) === '');
  if (isUnsized && /(?:^|\s)(?:strict|size)(?:\s|$)/.test(contained)) return true;
  const height = lengthOf(get('height'));
  return height !== undefined && length(get('padding-top')) >= height && get('box-sizing') === 'border-box';
}

/** Made as small as a point, or turned so that its edge or its clear back is seen alone. */
function isFlat(get: Get): boolean {
  const factors = get('scale').split(/\s+/);
  if (factors.some(isClear) || isClear(get('zoom'))) return true;
  const turned = (list: readonly string[]): number => Math.abs(Number.parseFloat(list[0] ?? '')) % 360;
  const hasNoBack = get('backface-visibility') === 'hidden';
  if (/^[xy]\s+-?(?:90|270)deg$/.test(get('rotate'))) return true;
  return functionsIn(get('transform')).some(([name, list]) => {
    if (/^scale(?:[xy]|3d)?$/.test(name)) return list.slice(0, 2).some(isClear);
    if (name === 'matrix')
      return Math.abs(Number(list[0]) * Number(list[3]) - Number(list[1]) * Number(list[2])) <= faint * faint;
    if (/^skew[xy]?$/.test(name)) return list.some((angle) => /^-?(?:90|270)deg$/.test(angle));
    if (!/^rotate[xy]$/.test(name)) return false;
    const angle = turned(list);
    return angle === 90 || angle === 270 || (hasNoBack && angle > 90 && angle < 270);
  });
}
