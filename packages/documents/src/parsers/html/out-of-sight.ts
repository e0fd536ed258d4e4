import type { Declarations } from './style-sheet.ts';

/** Pixels beyond an edge of the window from which nothing can be scrolled into view. */
const far = 900;
/** Pixels to the right of the window that no page is as wide as. */
const wide = 5_000;
/** A box that is not larger shows nothing. Pixels. */
const speck = 2;
/** A share of opacity or size that nobody sees. */
const faint = 0.04;
const pixels: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 12.8,
  vh: 8,
};

/** Whether declarations put an element where nobody sees it, make it clear, or leave no room for it. */
export function isOutOfSight(declared: Declarations): boolean {
  const get = (property: string): string => declared.get(property) ?? '';
  return (
    isClear(get('opacity')) ||
    get('content-visibility') === 'hidden' ||
    isClear(/^opacity\(([^()]*)\)$/.exec(get('filter'))?.[1] ?? '') ||
    isMovedAway(get) ||
    isCutAway(get) ||
    isFlat(get)
  );
}

type Get = (property: string) => string;

function isClear(value: string): boolean {
  const [, digits, percent] = /^([\d.]+)(%?)$/.exec(value.trim()) ?? [];
  return digits !== undefined && Number(digits) / (percent === '%' ? 100 : 1) <= faint;
}

/** A length in pixels; undefined for a share of something else. */
function lengthOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^([-+]?[\d.]+)([a-z]*)$/.exec(text.trim()) ?? [];
  const factor = pixels[unit];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

function isMovedAway(get: Get): boolean {
  const length = (text: string): number => lengthOf(text) ?? 0;
  const percent = (text: string): number => Number(/^(-\d+)%$/.exec(text)?.[1] ?? 0);
  const position = get('position');
  if (/^(?:absolute|fixed|relative)$/.test(position)) {
    if (['left', 'top', 'right', 'bottom'].some((side) => length(get(side)) <= -far)) return true;
    if (length(get('left')) >= wide || ['left', 'top'].some((side) => percent(get(side)) <= -far)) return true;
  }
  if (['text-indent', 'margin-left', 'margin-top'].some((side) => length(get(side)) <= -far)) return true;
  const moved = /translate(?:x|y|3d)?\(([^()]*)\)/.exec(get('transform'))?.[1] ?? get('translate');
  return moved.split(/[\s,]+/).some((step) => length(step) <= -far || percent(step) <= -far);
}

function isCutAway(get: Get): boolean {
  if (/^rect\(\s*(?:0|1px)(?:px)?[\s,]+(?:0|1px)/.test(get('clip'))) return true;
  if (/^(?:inset\(\s*(?:[5-9]\d|100)%\s*\)|(?:circle|ellipse)\(\s*0(?:px|%)?[\s)])/.test(get('clip-path'))) return true;
  const clips = /hidden|clip/.test(`${get('overflow')} ${get('overflow-x')} ${get('overflow-y')}`);
  const isSpeck = (size: string): boolean => (/^0%$/.test(size) ? 0 : (lengthOf(size) ?? Infinity)) <= speck;
  return clips && ['width', 'height', 'max-height', 'max-width'].some((side) => isSpeck(get(side)));
}

/** Made as small as a point, or turned so that its edge is seen alone. */
function isFlat(get: Get): boolean {
  const scale = /scale(?:[xy]|3d)?\(\s*([\d.]+)\s*[,)]/.exec(get('transform'))?.[1] ?? get('scale').split(/\s+/)[0]!;
  if (isClear(scale) || isClear(get('zoom'))) return true;
  return /rotate[xy]\(\s*-?(?:90|270)deg\s*\)/.test(get('transform')) || /^[xy]\s+-?(?:90|270)deg$/.test(get('rotate'));
}
