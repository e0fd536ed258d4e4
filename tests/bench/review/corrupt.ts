import { leafPaths } from '../../../packages/review/src/index.ts';
import { pick } from './random.ts';

type Leaf = string | number | boolean | null;

/** The ways in which a value is made wrong. */
export const corruptions = ['digits swapped', 'neighbour', 'invented', 'missing', 'another field'] as const;
export type Corruption = (typeof corruptions)[number];

/** A result with wrong values, and their paths. */
interface Corrupted {
  result: unknown;
  wrong: Map<string, Corruption>;
}

/** Makes a share of the values wrong, with each of the ways in rotation. If a way is impossible for a value, the next one is used. */
export function corrupt(truth: unknown, share: number, random: () => number): Corrupted {
  const result = structuredClone(truth);
  const leaves = leafPaths(truth);
  const wrong = new Map<string, Corruption>();
  for (const leaf of leaves) {
    if (random() >= share) continue;
    const start = Math.floor(random() * corruptions.length);
    for (let at = 0; at < corruptions.length; at++) {
      const way = corruptions[(start + at) % corruptions.length]!;
      const value = wrongValue(way, leaf, leaves, random);
      if (value === undefined || value === leaf.value) continue;
      put(result, leaf.path, value);
      wrong.set(leaf.path, way);
      break;
    }
  }
  return { result, wrong };
}

function wrongValue(
  way: Corruption,
  { path, value }: { path: string; value: Leaf },
  leaves: readonly { path: string; field: string; value: Leaf }[],
  random: () => number,
): Leaf | undefined {
  if (way === 'invented') return invented(value, random);
  if (value === null || value === '') return undefined;
  if (way === 'missing') return null;
  if (way === 'digits swapped') return swapped(value, random);
  const others = leaves.filter(
    (other) => other.path !== path && typeof other.value === typeof value && other.value !== value,
  );
  if (others.length === 0) return undefined;
  if (way === 'another field') return pick(random, others).value;
  // The neighbour: the same column of the next row, else the next value of the same type.
  const at = leaves.findIndex((leaf) => leaf.path === path);
  const near = others.toSorted(
    (one, other) => Math.abs(leaves.indexOf(one) - at) - Math.abs(leaves.indexOf(other) - at),
  );
  const field = path.replaceAll(/\.\d+(?=\.|$)/g, '[]');
  return (near.find((leaf) => leaf.field === field) ?? near[0])?.value;
}

/** Swaps two different adjacent digits; two letters in a text without digits. */
function swapped(value: Leaf, random: () => number): Leaf | undefined {
  const text = String(value);
  const signs = text.split('');
  const places = signs.flatMap((sign, at) => {
    const next = text[at + 1];
    const isPair = /\d/.test(sign) && next !== undefined && /\d/.test(next);
    return isPair && sign !== next ? [at] : [];
  });
  const letters = signs.flatMap((sign, at) =>
    /\p{L}/u.test(sign) && /\p{L}/u.test(text[at + 1] ?? '') && sign.toLowerCase() !== text[at + 1]?.toLowerCase()
      ? [at]
      : [],
  );
  const found = places.length > 0 ? places : letters;
  if (found.length === 0) return undefined;
  const at = pick(random, found);
  const changed = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
  return typeof value === 'number' ? Number(changed) : changed;
}

function invented(value: Leaf, random: () => number): Leaf {
  if (typeof value === 'number') return Math.round(random() * 100_000) / 100;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    return `20${10 + Math.floor(random() * 20)}-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`;
  }
  return `${pick(random, ['Ref', 'Nordwind', 'Blue River', 'AX', 'Item'])} ${Math.floor(random() * 10_000)}`;
}

function put(result: unknown, path: string, value: Leaf): void {
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    result as Record<string, unknown>,
  );
  parent[last] = value;
}
