/** Pixels of a unit, in a window of 1,280 by 900. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
  ex: 8,
  ch: 8,
  lh: 20,
  rlh: 20,
  rem: 16,
};
const windowUnits = /^[sld]?v(w|h|i|b|min|max)$/;
const ofWindow: Readonly<Record<string, number>> = { w: 12.8, i: 12.8, max: 12.8, h: 9, b: 9, min: 9 };
/** Calculations in calculations are solved from the inside, this many at most. */
const maxSteps = 50;

function pixelsOf(digits: string, unit: string, em: number): number | undefined {
  const factor = unit === 'em' ? em : (units[unit] ?? ofWindow[windowUnits.exec(unit)?.[1] ?? ' ']);
  return factor === undefined ? undefined : Number(digits) * factor;
}

/** A length in pixels, also a calculated one; undefined for a share of something else. */
export function lengthOf(text: string, em = 16): number | undefined {
  const value = text.trim();
  const [, digits, unit = ''] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-z]*)$/.exec(value) ?? [];
  if (digits !== undefined) return pixelsOf(digits, unit, em);
  return value.length <= 200 && /^(?:calc|min|max|clamp|abs)\(/.test(value) ? solve(value, em) : undefined;
}

/** A calculation without names and shares. */
function solve(text: string, em: number): number | undefined {
  let left = text.replace(/([\d.]+)([a-z]+|%)/g, (_, digits: string, unit: string) =>
    String(pixelsOf(digits, unit, em) ?? Number.NaN),
  );
  for (let step = 0; step < maxSteps && left.includes('('); step += 1) {
    left = left.replace(/([a-z]*)\(([^()]*)\)/, (_, name: string, list: string) => {
      const values = list.split(',').map(sumOf);
      if (name === 'min') return String(Math.min(...values));
      if (name === 'max') return String(Math.max(...values));
      if (name === 'abs') return String(Math.abs(values[0]!));
      const [low = Number.NaN, middle = low, high = middle] = values;
      return String(name === 'clamp' ? Math.max(low, Math.min(middle, high)) : low);
    });
  }
  const solved = sumOf(left);
  return Number.isFinite(solved) ? solved : undefined;
}

/** A sum of products of numbers. */
const sumOf = (text: string): number =>
  text
    .trim()
    .split(/(?<=[\d.)])\s+(?=[-+]\s)/)
    .map((term) => {
      const [, sign = '+', product = ''] = /^([-+](?=\s))?\s*(.*)$/.exec(term) ?? [];
      const factors = product.split(/([*/])/);
      let value = Number(factors[0]);
      for (let at = 1; at + 1 < factors.length; at += 2) {
        const next = Number(factors[at + 1]);
        value = factors[at] === '*' ? value * next : value / next;
      }
      return sign === '-' ? -value : value;
    })
    .reduce((sum, value) => sum + value, 0);
